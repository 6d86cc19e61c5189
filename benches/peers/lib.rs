//! Peers: other people's ways to do what Stillframe does, measured beside ours. See `benches/`.
