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

/// The types, with their names in NumPy and in VTK.
const NAMES: [(Number, &str, &str); 10] = [
    (Number::F64, "<f8", "Float64"),
    (Number::F32, "<f4", "Float32"),
    (Number::I64, "<i8", "Int64"),
    (Number::U64, "<u8", "UInt64"),
    (Number::I32, "<i4", "Int32"),
    (Number::U32, "<u4", "UInt32"),
    (Number::I16, "<i2", "Int16"),
    (Number::U16, "<u2", "UInt16"),
    (Number::I8, "|i1", "Int8"),
    (Number::U8, "|u1", "UInt8"),
];

impl Number {
    /// Returns the type with this name in NumPy. Booleans are whole numbers of one byte.
    pub(super) fn from_numpy(name: &str) -> Option<Self> {
        let name = if name == "|b1" { "|u1" } else { name };
        let found = NAMES.into_iter().find(|&(_, numpy, _)| numpy == name);
        found.map(|(number, ..)| number)
    }

    /// Returns the type with this name in VTK.
    pub(super) fn from_vtk(name: &str) -> Option<Self> {
        let found = NAMES.into_iter().find(|&(.., vtk)| vtk == name);
        found.map(|(number, ..)| number)
    }

    /// Returns the type with this name in legacy files of VTK.
    pub(super) fn from_legacy_vtk(name: &str) -> Option<Self> {
        Some(match name {
            "double" => Self::F64,
            "float" => Self::F32,
            // VTK writes its 64-bit numbers under names of their own, and `long` with 64 bits on Unix.
            "vtktypeint64" | "long" => Self::I64,
            "vtktypeuint64" | "unsigned_long" => Self::U64,
            // Ids have 32 bits in binary files.
            "int" | "vtkIdType" => Self::I32,
            "unsigned_int" => Self::U32,
            "short" => Self::I16,
            "unsigned_short" => Self::U16,
            "char" | "signed_char" => Self::I8,
            "unsigned_char" => Self::U8,
            _ => return None,
        })
    }

    /// Returns the number of bytes of a number.
    pub(super) fn width(self) -> usize {
        match self {
            Self::F64 | Self::I64 | Self::U64 => 8,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::I16 | Self::U16 => 2,
            Self::I8 | Self::U8 => 1,
        }
    }

    /// Returns the numbers in `bytes` with the highest byte first.
    pub(super) fn decode_big_endian(self, bytes: &[u8]) -> Vec<f64> {
        let mut bytes = bytes.to_vec();
        let numbers = bytes.chunks_exact_mut(self.width());
        numbers.for_each(<[u8]>::reverse);
        self.decode(&bytes)
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
        let bytes = 258i32.to_be_bytes();
        let int = Number::from_legacy_vtk("int").unwrap();
        assert_eq!(
            (int.decode_big_endian(&bytes), int.width()),
            (vec![258.0], 4)
        );
        for name in ["<f2", ">f8", "<c16", "Float16", ""] {
            assert!(Number::from_numpy(name).is_none() && Number::from_vtk(name).is_none());
        }
    }
}
