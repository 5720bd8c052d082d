//! The texts of the screens in the language of the reader: the message files of the page, compiled in.
//!
//! English has every key, and a test of the page checks the other languages; a missing key falls back to English.

use std::{collections::HashMap, env, sync::LazyLock};

use rules::SideInfo;

/// A language that Alinea speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Spanish.
    Es,
    /// Portuguese of Portugal.
    PtPt,
    /// Portuguese of Brazil.
    PtBr,
    /// Catalan.
    Ca,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::En, Self::Es, Self::PtPt, Self::PtBr, Self::Ca];

    /// Its code: `en`, `pt-BR`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Es => "es",
            Self::PtPt => "pt-PT",
            Self::PtBr => "pt-BR",
            Self::Ca => "ca",
        }
    }

    /// Its name in the language itself.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::Es => "Español",
            Self::PtPt => "Português (Portugal)",
            Self::PtBr => "Português (Brasil)",
            Self::Ca => "Català",
        }
    }

    /// The language of a code or locale such as `pt`, `pt-PT` or `ca_ES.UTF-8`. Portuguese is Brazil's unless another
    /// country is named, as on the page.
    #[must_use]
    pub fn of(locale: &str) -> Option<Self> {
        let locale = locale.split(['.', '@']).next()?.to_lowercase();
        let (code, country) = locale.split_once(['_', '-']).unwrap_or((&locale, ""));
        match code {
            "en" => Some(Self::En),
            "es" => Some(Self::Es),
            "pt" if matches!(country, "" | "br") => Some(Self::PtBr),
            "pt" => Some(Self::PtPt),
            "ca" => Some(Self::Ca),
            _ => None,
        }
    }

    /// The language of the locale that the system is set to.
    #[must_use]
    pub fn of_system() -> Self {
        let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
        // `LANGUAGE` is a list of preferences.
        let preferences = set("LANGUAGE")
            .into_iter()
            .flat_map(|list| list.split(':').map(str::to_owned).collect::<Vec<_>>());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
        // Windows and macOS keep the locale elsewhere.
        let locales = locale.into_iter().chain(sys_locale::get_locale());
        preferences.chain(locales).find_map(|locale| Self::of(&locale)).unwrap_or_default()
    }

    /// The message files of the page and of what only a terminal says; later ones replace texts of earlier ones.
    const fn files(self) -> &'static [&'static str] {
        match self {
            Self::En => &[include_str!("../../../web/i18n/en.json"), include_str!("../i18n/en.json")],
            Self::Es => &[include_str!("../../../web/i18n/es.json"), include_str!("../i18n/es.json")],
            Self::PtPt => &[include_str!("../../../web/i18n/pt.json"), include_str!("../i18n/pt.json")],
            Self::PtBr => &[
                include_str!("../../../web/i18n/pt.json"),
                include_str!("../i18n/pt.json"),
                include_str!("../../../web/i18n/pt-BR.json"),
                include_str!("../i18n/pt-BR.json"),
            ],
            Self::Ca => &[include_str!("../../../web/i18n/ca.json"), include_str!("../i18n/ca.json")],
        }
    }
}

/// The role of the reader in a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The one who acts.
    You,
    /// The side that faces what the sentence describes.
    Them,
}

/// The words of a language.
pub struct Words {
    language: Language,
    texts: HashMap<String, String>,
    fallback: HashMap<String, String>,
    names_drawn_sides: bool,
}

/// The English words, for files that programs read, too.
#[must_use]
pub fn english() -> &'static Words {
    static ENGLISH: LazyLock<Words> = LazyLock::new(|| Words::new(Language::En));
    &ENGLISH
}

/// Values for the blanks of a message.
pub type Values<'a> = &'a [(&'a str, &'a str)];

impl Words {
    /// The words of this language.
    ///
    /// # Panics
    /// If a message file is not an object of texts: a fault of the build.
    #[must_use]
    pub fn new(language: Language) -> Self {
        let read = |language: Language| -> HashMap<String, String> {
            let read = |file: &str| -> HashMap<String, String> {
                serde_json::from_str(file).expect("a message file is an object of texts")
            };
            language.files().iter().flat_map(|file| read(file)).collect()
        };
        let fallback = if language == Language::En { HashMap::new() } else { read(Language::En) };
        Self { language, texts: read(language), fallback, names_drawn_sides: false }
    }

    /// The same, with sides named as line mode draws them: ○ and ● instead of Solid and Outline.
    #[must_use]
    pub fn with_drawn_sides(self) -> Self {
        Self { names_drawn_sides: true, ..self }
    }

    /// The key of the name of a side.
    pub(crate) fn side_key(&self, side: &SideInfo) -> String {
        if self.names_drawn_sides { format!("line.side.{}", side.name) } else { format!("side.{}", side.key) }
    }

    /// Which language it is.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.texts.get(key).or_else(|| self.fallback.get(key)).map(String::as_str)
    }

    /// Whether there are words for a key.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.text(key).is_some()
    }

    /// The words of a key; the key itself if there are none.
    #[must_use]
    pub fn t<'a>(&'a self, key: &'a str) -> &'a str {
        self.text(key).unwrap_or(key)
    }

    /// The words of a key with its blanks filled.
    #[must_use]
    pub fn fill(&self, key: &str, values: Values) -> String {
        let mut text = self.t(key).to_owned();
        for (name, value) in values {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }

    /// The plural form that fits `n`, with `{n}` filled.
    #[must_use]
    pub fn count(&self, stem: &str, n: u64, values: Values) -> String {
        // All languages use the singular for one; Brazil for none, too.
        let is_one = n == 1 || n == 0 && self.language == Language::PtBr;
        let one = format!("{stem}.one");
        let key = if is_one && self.has(&one) { one } else { format!("{stem}.other") };
        let n = n.to_string();
        let mut all = vec![("n", n.as_str())];
        all.extend_from_slice(values);
        self.fill(&key, &all)
    }

    /// The variant of a key that addresses the reader, if there is one.
    #[must_use]
    pub fn addressed(&self, key: &str, role: Option<Role>) -> String {
        let form = match role {
            None => return key.to_owned(),
            Some(Role::You) => format!("{key}-you"),
            Some(Role::Them) => format!("{key}-them"),
        };
        if self.has(&form) || self.has(&format!("{form}.other")) { form } else { key.to_owned() }
    }

    /// A small number in words, a large one in digits.
    #[must_use]
    pub fn number(&self, n: usize) -> String {
        let key = format!("number.{n}");
        self.text(&key).map_or_else(|| n.to_string(), str::to_owned)
    }

    /// A list in words: “c1, d2 and e3”.
    #[must_use]
    pub fn list(&self, items: &[String]) -> String {
        let (and, comma) = match self.language {
            Language::En => ("and", true),
            Language::Es => ("y", false),
            Language::PtPt | Language::PtBr => ("e", false),
            Language::Ca => ("i", false),
        };
        match items {
            [] => String::new(),
            [one] => one.clone(),
            [one, two] => format!("{one} {and} {two}"),
            [first @ .., last] => {
                format!("{}{} {and} {last}", first.join(", "), if comma { "," } else { "" })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_names_its_language() {
        assert_eq!(Language::of("pt_BR.UTF-8"), Some(Language::PtBr));
        assert_eq!(Language::of("pt_PT"), Some(Language::PtPt));
        assert_eq!(Language::of("pt"), Some(Language::PtBr));
        assert_eq!(Language::of("ca@valencia"), Some(Language::Ca));
        assert_eq!(Language::of("C.UTF-8"), None);
        assert!(Language::ALL.iter().all(|language| Language::of(language.code()) == Some(*language)));
    }

    #[test]
    fn blanks_and_plurals_are_filled() {
        let words = Words::new(Language::Es);
        assert!(words.count("result.moves", 2, &[]).contains('2'));
        assert_ne!(
            words.count("result.moves", 1, &[]),
            words.count("result.moves", 2, &[]).replace('2', "1")
        );
        assert_eq!(words.list(&["a1".to_owned(), "b2".to_owned()]), "a1 y b2");
    }

    #[test]
    fn every_language_has_every_message() {
        let english = Words::new(Language::En);
        for language in Language::ALL {
            let words = Words::new(language);
            for key in english.texts.keys() {
                assert!(words.texts.contains_key(key), "{} lacks {key}", language.code());
            }
        }
    }
}
