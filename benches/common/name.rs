//! The functions that are compared.

use clap::ValueEnum;

/// A function of halfulp.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Name {
    Erff,
    Expf,
    Erfcf,
    Normcdff,
    Geluf,
    GelufGrad,
    ErffFaithful,
    ExpfFaithful,
    NormcdffFaithful,
    GelufFaithful,
    GelufGradFaithful,
    Erf,
    Erfc,
    Normcdf,
    ErfF16,
    ErfBf16,
    ExpF16,
    ExpBf16,
    NormcdfF16,
    NormcdfBf16,
    GeluF16,
    GeluBf16,
}

/// The type of a function's argument and result.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Single,
    Double,
    F16,
    Bf16,
}

/// Functions that are correctly rounded, each with that of arrays that is faithfully rounded.
const FAITHFUL: [(Name, Name); 5] = [
    (Name::Erff, Name::ErffFaithful),
    (Name::Expf, Name::ExpfFaithful),
    (Name::Normcdff, Name::NormcdffFaithful),
    (Name::Geluf, Name::GelufFaithful),
    (Name::GelufGrad, Name::GelufGradFaithful),
];

impl Name {
    pub fn text(self) -> String {
        self.to_possible_value().expect("no name is left out").get_name().into()
    }

    pub fn kind(self) -> Kind {
        match self {
            Name::Erf | Name::Erfc | Name::Normcdf => Kind::Double,
            Name::ErfF16 | Name::ExpF16 | Name::NormcdfF16 | Name::GeluF16 => Kind::F16,
            Name::ErfBf16 | Name::ExpBf16 | Name::NormcdfBf16 | Name::GeluBf16 => Kind::Bf16,
            _ => Kind::Single,
        }
    }

    /// The correctly rounded function of which it is the faithful one; or it itself.
    pub fn exact(self) -> Name {
        FAITHFUL.iter().find(|pair| pair.1 == self).map_or(self, |pair| pair.0)
    }

    /// The same function, faithfully rounded.
    pub fn faithful(self) -> Option<Name> {
        FAITHFUL.iter().find(|pair| pair.0 == self).map(|pair| pair.1)
    }

    pub fn is_faithful(self) -> bool {
        self.exact() != self
    }

    /// Whether there is a function of one number.
    pub fn has_scalar(self) -> bool {
        !self.is_faithful() && matches!(self.kind(), Kind::Single | Kind::Double)
    }

    /// Whether it is one of <math.h>'s.
    pub fn is_iso(self) -> bool {
        matches!(self, Name::Erff | Name::Expf | Name::Erfcf | Name::Erf | Name::Erfc)
    }

    /// Whether compilers call it from loops.
    pub fn has_vectors(self) -> bool {
        matches!(self, Name::Erff | Name::Expf | Name::Erfcf)
    }

    /// halfulp's name for it: the one by which programs call it.
    pub fn symbol(self) -> String {
        if self.is_iso() { self.text() } else { format!("halfulp_{}", self.text()) }
    }

    /// The function in single precision that does the same.
    pub fn in_single(self) -> Name {
        match self {
            Name::Erf | Name::ErfF16 | Name::ErfBf16 => Name::Erff,
            Name::ExpF16 | Name::ExpBf16 => Name::Expf,
            Name::Erfc => Name::Erfcf,
            Name::Normcdf | Name::NormcdfF16 | Name::NormcdfBf16 => Name::Normcdff,
            Name::GeluF16 | Name::GeluBf16 => Name::Geluf,
            single => single,
        }
    }
}
