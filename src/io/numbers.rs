//! Numbers as bytes, the lowest byte first.

/// A type of numbers.
#[derive(Clone, Copy)]
pub(super) enum Number {
    F64,
    F32,
    I64,
    U64,
    I32,
    U32,
    I16,
    U16,
    I8,
    U8,
}

impl Number {
    /// Returns the type with this name in NumPy. Booleans are whole numbers of one byte.
    pub(super) fn from_numpy(name: &str) -> Option<Self> {
        Some(match name {
            "<f8" => Self::F64,
            "<f4" => Self::F32,
            "<i8" => Self::I64,
            "<u8" => Self::U64,
            "<i4" => Self::I32,
            "<u4" => Self::U32,
            "<i2" => Self::I16,
            "<u2" => Self::U16,
            "|i1" => Self::I8,
            "|u1" | "|b1" => Self::U8,
            _ => return None,
        })
    }

    /// Returns the type with this name in VTK.
    pub(super) fn from_vtk(name: &str) -> Option<Self> {
        Some(match name {
            "Float64" => Self::F64,
            "Float32" => Self::F32,
            "Int64" => Self::I64,
            "UInt64" => Self::U64,
            "Int32" => Self::I32,
            "UInt32" => Self::U32,
            "Int16" => Self::I16,
            "UInt16" => Self::U16,
            "Int8" => Self::I8,
            "UInt8" => Self::U8,
            _ => return None,
        })
    }

    /// Returns the numbers in `bytes`. Bytes after the last whole number are ignored.
    pub(super) fn decode(self, bytes: &[u8]) -> Vec<f64> {
        match self {
            Self::F64 => convert(bytes, f64::from_le_bytes),
            Self::F32 => convert(bytes, |bytes| f32::from_le_bytes(bytes).into()),
            Self::I64 => convert(bytes, |bytes| i64::from_le_bytes(bytes) as f64),
            Self::U64 => convert(bytes, |bytes| u64::from_le_bytes(bytes) as f64),
            Self::I32 => convert(bytes, |bytes| i32::from_le_bytes(bytes).into()),
            Self::U32 => convert(bytes, |bytes| u32::from_le_bytes(bytes).into()),
            Self::I16 => convert(bytes, |bytes| i16::from_le_bytes(bytes).into()),
            Self::U16 => convert(bytes, |bytes| u16::from_le_bytes(bytes).into()),
            Self::I8 => convert(bytes, |bytes| i8::from_le_bytes(bytes).into()),
            Self::U8 => convert(bytes, |bytes| u8::from_le_bytes(bytes).into()),
        }
    }
}

fn convert<const SIZE: usize>(bytes: &[u8], number: impl Fn([u8; SIZE]) -> f64) -> Vec<f64> {
    let numbers = bytes.as_chunks().0.iter();
    numbers.map(|&bytes| number(bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_reads_back_its_smallest_and_its_largest_number() {
        macro_rules! check {
            ($($number:ty: $numpy:literal $vtk:literal),*) => {$(
                let expected = [<$number>::MIN, <$number>::MAX];
                let bytes: Vec<u8> = expected.iter().flat_map(|number| number.to_le_bytes()).collect();
                for found in [Number::from_numpy($numpy), Number::from_vtk($vtk)] {
                    let found = found.unwrap().decode(&bytes);
                    assert_eq!(found, expected.map(|number| number as f64), $vtk);
                }
            )*};
        }
        check!(
            f64: "<f8" "Float64", f32: "<f4" "Float32", i64: "<i8" "Int64", u64: "<u8" "UInt64", i32: "<i4" "Int32",
            u32: "<u4" "UInt32", i16: "<i2" "Int16", u16: "<u2" "UInt16", i8: "|i1" "Int8", u8: "|u1" "UInt8"
        );
        assert_eq!(Number::F32.decode(&[0; 7]).len(), 1);
        for name in ["<f2", ">f8", "<c16", "Float16", ""] {
            assert!(Number::from_numpy(name).is_none() && Number::from_vtk(name).is_none());
        }
    }
}
