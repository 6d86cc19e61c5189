//! Matrix: products and inverses of 4x4 matrices in f64, so that what goes to a shader is rounded once.

use glam::Mat4;

/// Columns.
type Columns = [[f64; 4]; 4];

fn wide(matrix: Mat4) -> Columns {
    matrix.to_cols_array_2d().map(|column| column.map(f64::from))
}

fn narrow(columns: Columns) -> Mat4 {
    Mat4::from_cols_array_2d(&columns.map(|column| column.map(|value| value as f32)))
}

/// `a * b`.
pub fn product(a: Mat4, b: Mat4) -> Mat4 {
    let (a, b) = (wide(a), wide(b));
    narrow(b.map(|column| {
        std::array::from_fn(|row| {
            a[0][row] * column[0] + a[1][row] * column[1] + a[2][row] * column[2] + a[3][row] * column[3]
        })
    }))
}

/// The inverse; zeros for a matrix that has none. By Gauss and Jordan with the largest pivot of each column.
pub fn inverse(matrix: Mat4) -> Mat4 {
    // Rows of [matrix | identity].
    let columns = wide(matrix);
    let mut rows: [[f64; 8]; 4] = std::array::from_fn(|row| {
        std::array::from_fn(|i| if i < 4 { columns[i][row] } else { f64::from(u8::from(i - 4 == row)) })
    });
    for at in 0..4 {
        let largest = (at..4).max_by(|&a, &b| rows[a][at].abs().total_cmp(&rows[b][at].abs())).expect("four rows");
        rows.swap(at, largest);
        let pivot = rows[at][at];
        if pivot == 0.0 || !pivot.is_finite() {
            return Mat4::ZERO;
        }
        rows[at] = rows[at].map(|value| value / pivot);
        let source = rows[at];
        for (index, row) in rows.iter_mut().enumerate() {
            if index != at {
                let factor = row[at];
                for (value, from) in row.iter_mut().zip(source) {
                    *value -= factor * from;
                }
            }
        }
    }
    narrow(std::array::from_fn(|column| std::array::from_fn(|row| rows[row][4 + column])))
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;

    #[test]
    fn an_inverse_undoes() {
        let rotation = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
        let placed =
            Mat4::from_scale_rotation_translation(Vec3::new(1.0, -2.0, 0.5), rotation, Vec3::new(3.0, 9.0, -4.0));
        let view = stillframe_base::math::camera::perspective(0.7, 1.6, 0.05, None);
        for matrix in [placed, product(view, placed)] {
            let both = product(matrix, inverse(matrix));
            assert!(both.abs_diff_eq(Mat4::IDENTITY, 1e-4), "{both}");
        }
        assert_eq!(inverse(Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0))), Mat4::ZERO);
        assert!(product(placed, view).abs_diff_eq(placed * view, 1e-4));
    }
}
