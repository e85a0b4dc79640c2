//! Finds the answer in a chat: the text of the last message of the assistant.

use std::borrow::Cow;

use serde_json::Value;

/// The reason why the answer in a chat is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ChatError {
    #[error("the answer begins like a chat, but is not valid JSON")]
    NotJson,
    #[error("the chat has several choices; a record has one answer")]
    SeveralChoices,
}

/// The roles of a message of the assistant, by APIs and data sets.
const ASSISTANTS: [&str; 4] = ["assistant", "model", "gpt", "ai"];

/// The keys of the role, and of the text of a message.
const ROLES: [&str; 2] = ["role", "from"];
const CONTENTS: [&str; 2] = ["content", "value"];

/// The keys of the messages of a conversation.
const CONVERSATIONS: [&str; 3] = ["messages", "conversations", "output"];

/// The answer in a text. A chat in JSON is a message with `role` and `content`, a list of messages, or an object that
/// has messages: `messages`, `output`, `choices`. Any other text is the answer itself.
///
/// # Errors
///
/// If the text is a chat, and its answer is unknown.
pub(super) fn answer_in(text: &[u8]) -> Result<Cow<'_, [u8]>, ChatError> {
    let start = text.trim_ascii_start();
    let first = start.strip_prefix(b"[").unwrap_or(start).trim_ascii_start();
    let Some(first) = first.strip_prefix(b"{").map(<[u8]>::trim_ascii_start) else { return Ok(text.into()) };

    let Ok(chat) = serde_json::from_slice(start) else {
        // Python prints a chat with single quotes.
        let is_message =
            ROLES.iter().chain(&CONTENTS[..1]).chain(&CONVERSATIONS[..1]).any(|key| {
                [format!("\"{key}\""), format!("'{key}'")].iter().any(|key| first.starts_with(key.as_bytes()))
            });
        return if is_message { Err(ChatError::NotJson) } else { Ok(text.into()) };
    };
    Ok(match answer_message(&chat)? {
        Some(message) => text_of(message).into_bytes().into(),
        None => text.into(),
    })
}

/// The last message of the assistant, or a null in a chat without one; `None` if this is not a chat.
fn answer_message(chat: &Value) -> Result<Option<&Value>, ChatError> {
    if let Some(messages) = chat.as_array() {
        let is_chat = messages.iter().any(is_message);
        let last = messages.iter().rfind(|message| is_message(message) && is_of_assistant(message));
        return Ok(is_chat.then(|| last.unwrap_or(&Value::Null)));
    }
    if let Some(choices) = chat["choices"].as_array() {
        let [choice] = &choices[..] else { return Err(ChatError::SeveralChoices) };
        return Ok(Some(&choice["message"]));
    }
    match CONVERSATIONS.iter().find_map(|key| chat.get(key)) {
        Some(messages) => answer_message(messages),
        None if chat["message"].is_object() => Ok(Some(&chat["message"])),
        None => Ok(is_message(chat).then_some(chat)),
    }
}

/// Whether an object is a message, or the call of a tool in a list of messages.
fn is_message(message: &Value) -> bool {
    let has = |keys: &[&str]| keys.iter().any(|key| message.get(key).is_some());
    has(&ROLES) || has(&CONTENTS[..1]) || has(&["tool_calls", "arguments"])
}

/// Whether the assistant wrote a message. A message without a role counts as its message.
fn is_of_assistant(message: &Value) -> bool {
    let role = ROLES.iter().find_map(|key| message[key].as_str());
    role.is_none_or(|role| ASSISTANTS.contains(&role)) && message["type"] != "reasoning"
}

/// The text of a message: its content without reasoning, or what it passes to tools if it has no text.
fn text_of(message: &Value) -> String {
    let content = CONTENTS.iter().find_map(|key| message.get(key)).unwrap_or(&Value::Null);
    let parts = content.as_array().map_or(std::slice::from_ref(content), Vec::as_slice);
    let text = |part: &Value| match part["type"].as_str() {
        None | Some("text" | "output_text") => part.as_str().or(part["text"].as_str()).map(str::to_owned),
        Some(_) => None,
    };
    let text = parts.iter().filter_map(text).collect::<Vec<_>>().join("\n");
    if !text.trim().is_empty() {
        return text;
    }

    let calls = message["tool_calls"].as_array().into_iter().flatten().map(|call| &call["function"]["arguments"]);
    let inputs = parts.iter().map(|part| &part["input"]);
    let given = calls.chain(inputs).chain([&message["function_call"]["arguments"], &message["arguments"]]);
    let words = given
        .filter(|value| !value.is_null())
        .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    words.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_answer(chat: &str, expected: &str) {
        let answer = answer_in(chat.as_bytes()).unwrap();
        assert_eq!(str::from_utf8(&answer).unwrap(), expected, "{chat}");
    }

    #[test]
    fn the_last_message_of_the_assistant_is_the_answer() {
        for (chat, expected) in [
            (r#"[{"role": "assistant", "content": "A"}, {"role": "user", "content": "B"}]"#, "A"),
            (
                r#" [{"role":"assistant","content":"A"},{"role":"assistant","content":"B"},{"role":"tool","content":"C"}]"#,
                "B",
            ),
            (r#"[{"role": "user", "content": "A"}]"#, ""),
            (r#"[{"role": "assistant", "content": null, "reasoning_content": "A"}]"#, ""),
            (r#"{"role": "assistant", "content": "A", "reasoning_content": "B"}"#, "A"),
            (r#"{"messages": [{"role": "model", "content": "A"}]}"#, "A"),
            (r#"{"id": "1", "choices": [{"index": 0, "message": {"content": "A"}}]}"#, "A"),
            (
                r#"{"output": [{"type": "reasoning", "content": []}, {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "A"}]}]}"#,
                "A",
            ),
            (r#"[{"from": "human", "value": "A"}, {"from": "gpt", "value": "B"}]"#, "B"),
            (
                r#"{"role": "assistant", "content": [{"type": "thinking", "text": "A"}, {"type": "text", "text": "B"}, "C", 5]}"#,
                "B\nC",
            ),
            (
                r#"[{"role": "assistant", "content": " ", "tool_calls": [{"function": {"name": "f", "arguments": "{\"a\": 1}"}}]}]"#,
                "{\"a\": 1}",
            ),
            (r#"{"role": "assistant", "content": [{"type": "tool_use", "input": {"a": [1]}}]}"#, r#"{"a":[1]}"#),
            (r#"[{"type": "function_call", "arguments": "A"}]"#, "A"),
        ] {
            assert_answer(chat, expected);
        }
    }

    #[test]
    fn other_texts_are_the_answer() {
        for text in
            ["", "A", "[[1, 2]]", r#"{"grid": [[1, 2]]}"#, r#"[{"r1c1": 5}]"#, "{1 2 3}", r#"{"grid": "#, "[1, 2, 3]"]
        {
            assert_answer(text, text);
        }
    }

    #[test]
    fn a_chat_that_cannot_be_read_has_no_answer() {
        for (chat, error) in [
            (r#"[{"role": "assistant", "content": "A"}"#, ChatError::NotJson),
            ("[{'role': 'assistant', 'content': 'A'}]", ChatError::NotJson),
            (r#"{"choices": [{"message": {}}, {"message": {}}]}"#, ChatError::SeveralChoices),
        ] {
            assert_eq!(answer_in(chat.as_bytes()), Err(error), "{chat}");
        }
    }
}
