//! The declaration of parameters.

/// Declares a group of parameters: a struct with public fields, its defaults, and a
/// [`ParamGroup`](crate::params::ParamGroup). A field is written as
///
/// ```text
/// /// What it does: the help.
/// name: Type = default, kind [, alias ["other-name"]] [, try ["1", "2"]];
/// ```
///
/// The key is the name of the field with `-` for `_`; the type implements
/// [`ParamValue`](crate::params::ParamValue).
#[macro_export]
macro_rules! params {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                $field:ident: $type:ty = $default:expr, $kind:expr
                    $(, alias $aliases:expr)? $(, try $tries:expr)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $( $(#[doc = $help])+ pub $field: $type, )*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $( $field: $default, )* }
            }
        }

        impl $crate::params::ParamGroup for $name {
            fn infos(&self) -> Vec<$crate::params::ParamInfo> {
                #[allow(unused_imports)]
                use $crate::params::ParamKind::*;
                vec![$(
                    $crate::params::ParamInfo {
                        key: $crate::params::canonical_key(stringify!($field)),
                        aliases: {
                            let _aliases: &'static [&'static str] = &[];
                            $( let _aliases: &'static [&'static str] = &$aliases; )?
                            _aliases
                        },
                        value: $crate::params::ParamValue::text(&self.$field),
                        kind: $kind,
                        help: concat!($($help),+).trim().to_owned(),
                        tries: {
                            let _tries: &'static [&'static str] = &[];
                            $( let _tries: &'static [&'static str] = &$tries; )?
                            _tries
                        },
                    }
                ),*]
            }

            fn set(&mut self, key: &str, text: &str) -> Option<Result<String, String>> {
                #[allow(unused_imports)]
                use $crate::params::ParamKind::*;
                let key = $crate::params::canonical_key(key);
                $(
                    let _aliases: &[&str] = &[];
                    $( let _aliases: &[&str] = &$aliases; )?
                    let declared = $crate::params::canonical_key(stringify!($field));
                    if key == declared || _aliases.contains(&key.as_str()) {
                        let kind = $kind;
                        return Some($crate::params::ParamValue::parse(text, &kind).map(|value| {
                            self.$field = value;
                            declared
                        }));
                    }
                )*
                None
            }
        }
    };
}
