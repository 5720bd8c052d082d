//! The output on a page. `…` matches anything within a line; alone on a line it matches any lines.

const ANY: &str = "…";

/// Whether an output is what the page shows.
pub(crate) fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line.trim() == ANY => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| line_matches(line, first) && matches(rest, others)),
    }
}

fn line_matches(shown: &str, printed: &str) -> bool {
    let Some((start, rest)) = shown.split_once(ANY) else { return shown == printed };
    let Some(mut printed) = printed.strip_prefix(start) else { return false };
    let (between, end) = rest.rsplit_once(ANY).unwrap_or(("", rest));
    for part in between.split(ANY) {
        let Some(at) = printed.find(part) else { return false };
        printed = &printed[at + part.len()..];
    }
    printed.ends_with(end)
}

/// The output as the page should show it: what the page left out stays left out where its lines still fit.
pub(crate) fn update(shown: &[String], printed: &[String]) -> Vec<String> {
    let mut updated = Vec::new();
    let (mut shown, mut printed) = (shown, printed);
    while let Some((line, others)) = printed.split_first() {
        match shown.split_first() {
            Some((pattern, rest)) if pattern.trim() == ANY => {
                let next =
                    rest.iter().find_map(|next| printed.iter().position(|line| line_matches(next, line)));
                if next != Some(0) {
                    updated.push(pattern.clone());
                }
                (shown, printed) = (rest, &printed[next.unwrap_or(printed.len())..]);
            }
            Some((pattern, rest)) => {
                let fits = line_matches(pattern, line);
                updated.push(if fits { pattern.clone() } else { redact(pattern, line) });
                (shown, printed) = (rest, others);
            }
            None => {
                updated.push(line.clone());
                printed = others;
            }
        }
    }
    updated
}

/// Leaves out the values of the fields that the page left out: `"time_ms":…`.
fn redact(shown: &str, printed: &str) -> String {
    let mut line = printed.to_owned();
    for (at, _) in shown.match_indices(&format!("\":{ANY}")) {
        let key = &shown[shown[..at].rfind('"').unwrap_or_default()..at + 2];
        if let Some((before, after)) = printed_field(&line, key) {
            line = format!("{before}{ANY}{after}");
        }
    }
    line
}

fn printed_field<'a>(line: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    let start = line.find(key)? + key.len();
    let length = line[start..].find([',', '}', ']'])?;
    Some((&line[..start], &line[start + length..]))
}
