//! A picture in pixels, from its SVG, by resvg.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels of the picture for one of the SVG, where that is not too many.
const SHARP: f32 = 2.0;
/// The most pixels: some 400 MB while they are drawn.
const MOST: f32 = 100e6;
/// The longest side.
const LONGEST: f32 = 32_000.0;

/// The PNG of an SVG.
///
/// # Errors
/// Why there is none, and what to do about it.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    let family =
        |face: &resvg::usvg::fontdb::FaceInfo| face.families.first().map(|(name, _)| name.clone());
    let mono = fonts.faces().find(|face| face.monospaced).and_then(family);
    let sans = fonts.faces().find(|face| !face.monospaced).and_then(family);
    let Some(mono) = mono else {
        return Err("a png needs a font whose characters are all of one width, and this system \
                    has none: install one, as with `apt-get install fonts-dejavu-core`; an svg \
                    needs none"
            .to_owned());
    };
    fonts.set_sans_serif_family(sans.unwrap_or_else(|| mono.clone()));
    fonts.set_monospace_family(mono);
    let tree = Tree::from_str(svg, &options).map_err(|error| format!("no png: {error}"))?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = SHARP.min((MOST / (width * height)).sqrt()).min(LONGEST / width.max(height));
    let pixels = |length: f32| (length * scale).round().max(1.0) as u32;
    let mut picture = Pixmap::new(pixels(width), pixels(height))
        .ok_or_else(|| "no png: the picture is too large".to_owned())?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
    picture.encode_png().map_err(|error| format!("no png: {error}"))
}
