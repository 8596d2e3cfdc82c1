//! How providers count the tokens of an image. docs/conversation.md has the sources.

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
