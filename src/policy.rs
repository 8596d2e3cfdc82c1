//! x
impl Default for crate::Policy {
    /// The defaults of seed 000 (the knobs), and of DESIGN section 4 for what it does not name.
    fn default() -> Self {
        crate::Policy {
            enabled: true,
            mode: crate::Mode::Auto,
            keep_all: false,
            context_percentage: 0.25,
            min_threshold_bytes: 4_096,
            max_threshold_bytes: 1_048_576,
            headroom_percentage: 0.70,
            max_output_tokens: None,
            bytes_per_token: 4.0,
            max_view_bytes: None,
            preview_bytes: 1_024,
            overrides: Vec::new(),
        }
    }
}
