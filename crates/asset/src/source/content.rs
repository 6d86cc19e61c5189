//! Content: a hash that tells files apart, fast for large ones.
//!
//! BLAKE3 of the BLAKE3 hashes of pieces of 1 MiB, so that pieces can be hashed at the same time and none need stay in
//! memory. It is not what `b3sum` prints.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use stillframe_base::hash::Digest;
use stillframe_base::par::Pool;

const PIECE_BYTES: usize = 1 << 20;

/// The hash of bytes at hand.
pub fn content_hash(bytes: &[u8]) -> Digest {
    of_pieces(bytes.chunks(PIECE_BYTES).map(Digest::of_bytes))
}

/// The hash of a file of `size_bytes`.
///
/// Errors: of the file system; the file has become shorter.
pub fn content_hash_of_file(path: &Path, size_bytes: u64, pool: &Pool) -> io::Result<Digest> {
    let pieces = usize::try_from(size_bytes).map_err(io::Error::other)?.div_ceil(PIECE_BYTES);
    let whole = pool.threads().max(1);
    // A run of pieces a thread: each opens the file once.
    let runs = pool.map(whole, |run| {
        let (start, end) = (pieces * run / whole, pieces * (run + 1) / whole);
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start((start * PIECE_BYTES) as u64))?;
        let mut piece = vec![0; PIECE_BYTES.min(size_bytes as usize)];
        (start..end)
            .map(|index| {
                let length = (size_bytes as usize - index * PIECE_BYTES).min(PIECE_BYTES);
                file.read_exact(&mut piece[..length])?;
                Ok(Digest::of_bytes(&piece[..length]))
            })
            .collect::<io::Result<Vec<Digest>>>()
    });
    let runs = runs.into_iter().collect::<io::Result<Vec<_>>>()?;
    Ok(of_pieces(runs.into_iter().flatten()))
}

fn of_pieces(pieces: impl Iterator<Item = Digest>) -> Digest {
    let mut hasher = blake3::Hasher::new();
    pieces.for_each(|piece| {
        hasher.update(&piece.0);
    });
    Digest(*hasher.finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_hash_of_their_bytes() {
        let path = std::env::temp_dir().join(format!("stillframe-content-{}", std::process::id()));
        let mut seen = Vec::new();
        for length in [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 17] {
            let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            std::fs::write(&path, &bytes).expect("a temporary file");
            for threads in [1, 2, 5] {
                let hash = content_hash_of_file(&path, length as u64, &Pool::new(threads)).expect("readable");
                assert_eq!(hash, content_hash(&bytes), "{length} bytes, {threads} threads");
            }
            assert!(content_hash_of_file(&path, length as u64 + 1, &Pool::new(2)).is_err());
            seen.push(content_hash(&bytes));
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 6);
        std::fs::remove_file(&path).expect("it is ours");
    }
}
