//! How providers count the tokens of an image. docs/conversation.md has the sources.

use tuckaway_contract::HistoryFormat;

use super::Model;

/// The rule by which the tokens of an image follow from its sides in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ImageTokens {
    /// `each` tokens for each square patch. First the image is reduced until its longer side and
    /// its patches are within the limits.
    Patches { side: f64, longest: f64, most: f64, each: f64 },
    /// `base` tokens for the image, and `each` for each tile of 512 pixels. First the image is
    /// reduced to at most 2,048 pixels, and its shorter side to at most 768.
    Tiles { base: u64, each: u64 },
    /// 258 tokens for each tile of 768 pixels, and for an image of at most 384.
    Crops,
    /// The same number for every image.
    Flat(u64),
}

/// Models of Anthropic that see more of an image.
pub(super) const CLAUDE_LARGE: ImageTokens =
    ImageTokens::Patches { side: 28.0, longest: 2_576.0, most: 4_784.0, each: 1.0 };
/// Most models of OpenAI.
pub(super) const GPT: ImageTokens = tiles(85, 170);

/// Models of OpenAI that count patches.
pub(super) const fn patches(most: f64, each: f64) -> ImageTokens {
    ImageTokens::Patches { side: 32.0, longest: f64::INFINITY, most, each }
}

/// Models of OpenAI that count tiles.
pub(super) const fn tiles(base: u64, each: u64) -> ImageTokens {
    ImageTokens::Tiles { base, each }
}

impl ImageTokens {
    /// Claude, and formats that do not name a provider.
    pub(crate) const CLAUDE: ImageTokens =
        ImageTokens::Patches { side: 28.0, longest: 1_568.0, most: 1_568.0, each: 1.0 };

    /// Returns the rule of a model; if it is unknown, the rule of most models of the format's provider.
    pub(crate) fn of(format: HistoryFormat, model: Option<Model>) -> ImageTokens {
        model.map(|model| model.images).unwrap_or(match format {
            HistoryFormat::OpenaiChat | HistoryFormat::OpenaiResponses => GPT,
            HistoryFormat::Gemini => ImageTokens::Crops,
            _ => ImageTokens::CLAUDE,
        })
    }

    /// Returns the tokens of an image whose sides are above 0.
    pub(crate) fn count(self, width: f64, height: f64) -> u64 {
        let (long, short) = (width.max(height), width.min(height));
        match self {
            ImageTokens::Patches { side, longest, most, each } => {
                let scale = (longest / long).min(1.0);
                let patches = squares(long * scale, side) * squares(short * scale, side);
                (patches.min(most) * each).ceil() as u64
            }
            ImageTokens::Tiles { base, each } => {
                let within = (2_048.0 / long).min(1.0);
                let scale = within * (768.0 / (short * within)).min(1.0);
                let tiles = squares(long * scale, 512.0) * squares(short * scale, 512.0);
                base.saturating_add((tiles as u64).saturating_mul(each))
            }
            ImageTokens::Crops if long <= 384.0 => 258,
            ImageTokens::Crops => ((squares(long, 768.0) * squares(short, 768.0)) as u64).saturating_mul(258),
            ImageTokens::Flat(tokens) => tokens,
        }
    }
}

/// Returns the number of squares along a side, at least 1. A scaled length may be a little too
/// long.
fn squares(length: f64, side: f64) -> f64 {
    (length / side - 1e-9).ceil().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(format: HistoryFormat, model: &str, width: f64, height: f64) -> u64 {
        ImageTokens::of(format, Model::named(model)).count(width, height)
    }

    #[test]
    fn the_examples_of_the_providers_are_met() {
        let claude = |width, height| count(HistoryFormat::Anthropic, "", width, height);
        assert_eq!(claude(1_000.0, 1_000.0), 1_296);
        assert_eq!(claude(1_092.0, 1_092.0), 1_521);
        assert_eq!(claude(4_000.0, 4_000.0), 1_568);
        let gpt = |model, width, height| count(HistoryFormat::OpenaiChat, model, width, height);
        assert_eq!(gpt("gpt-4o", 1_024.0, 1_024.0), 765);
        assert_eq!(gpt("gpt-4o", 2_048.0, 4_096.0), 1_105);
        assert_eq!(gpt("gpt-4.1-mini", 1_024.0, 1_024.0), 1_659);
        assert_eq!(gpt("gpt-5-chat-latest", 1_024.0, 1_024.0), 630);
        assert_eq!(gpt("gpt-5-2025-08-07", 2_048.0, 4_096.0), 910);
        assert_eq!(gpt("gpt-5.4", 1_024.0, 1_024.0), 1_024);
        assert_eq!(gpt("gpt-5.5", 4_000.0, 4_000.0), 10_000);
        assert_eq!((gpt("o3", 1_024.0, 1_024.0), gpt("openai/o1-pro", 512.0, 512.0)), (675, 225));
        assert_eq!(gpt("computer-use-preview", 512.0, 512.0), 194);
        let gemini = |width, height| count(HistoryFormat::Gemini, "", width, height);
        assert_eq!((gemini(384.0, 384.0), gemini(385.0, 100.0), gemini(1_536.0, 769.0)), (258, 258, 1_032));
    }

    #[test]
    fn the_model_counts_before_the_format() {
        let sides = (2_576.0, 1_400.0);
        let chat = |model| count(HistoryFormat::OpenaiChat, model, sides.0, sides.1);
        assert_eq!(chat("anthropic/claude-opus-4.7"), 4_600);
        assert_eq!(chat("anthropic/claude-sonnet-4.5"), 1_568);
        assert_eq!(chat("google/gemini-3-pro"), 1_120);
        assert_eq!(chat("unknown"), 1_105);
        assert_eq!(chat("some-pro3"), 1_105);
    }

    #[test]
    fn no_size_overflows() {
        for model in ["claude", "gemini-2.5", "gpt-4o-mini", "o4-mini", "gemini-3"] {
            for (width, height) in [(f64::MAX, f64::MIN_POSITIVE), (1.0, f64::MAX), (f64::MAX, f64::MAX)] {
                assert!(count(HistoryFormat::Neutral, model, width, height) > 0, "{model}");
            }
        }
    }
}
