//! Items that are for the user alone: the model gets neither them nor a description.

use serde_json::Value;

/// Items that are for the user alone (`annotations.audience` is `["user"]`), with their places.
/// They are passed on, and neither counted nor described to the model.
pub struct ForUser(Vec<(usize, Value)>);

impl ForUser {
    /// Moves these items out of a list.
    pub fn take(items: &mut Vec<Value>) -> Self {
        let (own, rest): (Vec<_>, Vec<_>) =
            std::mem::take(items).into_iter().enumerate().partition(|(_, item)| is_for_user(item));
        items.extend(rest.into_iter().map(|(_, item)| item));
        ForUser(own)
    }

    /// Puts the items back into their places.
    pub fn put_back(self, items: &mut Vec<Value>) {
        for (place, item) in self.0 {
            items.insert(place.min(items.len()), item);
        }
    }

    /// Returns the items.
    pub fn into_items(self) -> impl Iterator<Item = Value> {
        self.0.into_iter().map(|(_, item)| item)
    }
}

fn is_for_user(item: &Value) -> bool {
    let audience = item.pointer("/annotations/audience").and_then(Value::as_array);
    audience.is_some_and(|audience| !audience.is_empty() && audience.iter().all(|role| role == "user"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn items_for_the_user_return_to_their_places() {
        let item = |n: u32, audience: Value| json!({ "type": "text", "n": n, "annotations": { "audience": audience } });
        let all = vec![
            item(0, json!(["user"])),
            item(1, json!(["assistant"])),
            item(2, json!([])),
            item(3, json!(["user"])),
            item(4, json!(["user", "assistant"])),
        ];
        let mut items = all.clone();
        let aside = ForUser::take(&mut items);
        assert_eq!(items.iter().map(|item| item["n"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 4]);
        aside.put_back(&mut items);
        assert_eq!(items, all);
    }
}
