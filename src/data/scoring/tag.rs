//! Reads the tags of HTML and XML in a text.

/// A tag: `<td>`, `</answer>`, `<a href="...">`.
pub(crate) struct Tag<'a> {
    pub(crate) is_end: bool,
    pub(crate) name: &'a [u8],
    /// In bytes.
    pub(crate) length: usize,
}

/// The maximum length of a tag, in bytes.
const MAX_TAG: usize = 200;

/// Whether a text can be the name of a tag.
pub(crate) fn is_tag_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(is_in_name)
}

fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':')
}

/// The tag at the start of a text.
pub(crate) fn tag(text: &[u8]) -> Option<Tag<'_>> {
    let inner = text.strip_prefix(b"<")?;
    let (is_end, name) = inner.strip_prefix(b"/").map_or((false, inner), |name| (true, name));
    let length = name.iter().take_while(|&&byte| is_in_name(byte)).count();

    // A tag ends before the next one starts. Searching further would take long for many tags that never end.
    let end = 1 + inner.iter().take(MAX_TAG).position(|&byte| byte == b'>' || byte == b'<')?;
    let is_tag = name.first().is_some_and(u8::is_ascii_alphabetic) && text[end] == b'>';
    is_tag.then_some(Tag { is_end, name: &name[..length], length: end + 1 })
}
