//! A picture of the whole display. WebKit's driver can take pictures too, but waits for ever for the
//! second one where nothing is drawn any more.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat};
use x11rb::rust_connection::RustConnection;

use crate::tool::Error;

/// Takes one.
pub fn take(display: &str, path: &Path) -> Result<(), Error> {
    let (width, height, pixels) = grab(display).map_err(|error| Error::Window(format!("no picture: {error}")))?;
    let file = File::create(path).map_err(Error::at(path))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), u32::from(width), u32::from(height));
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
    written.map_err(|error| Error::Window(format!("{}: {error}", path.display())))
}

/// How many different colours the display shows: one while nothing is drawn on it, dozens once there
/// are letters.
pub fn colours(display: &str) -> Result<usize, Error> {
    let (_, _, pixels) = grab(display).map_err(|error| Error::Window(format!("no picture: {error}")))?;
    Ok(pixels.chunks_exact(3).collect::<std::collections::HashSet<_>>().len())
}

/// Width, height, and three bytes for each pixel.
fn grab(display: &str) -> Result<(u16, u16, Vec<u8>), Box<dyn std::error::Error>> {
    let (connection, number) = RustConnection::connect(Some(display))?;
    let screen = &connection.setup().roots[number];
    let (width, height) = (screen.width_in_pixels, screen.height_in_pixels);
    let image = connection.get_image(ImageFormat::Z_PIXMAP, screen.root, 0, 0, width, height, u32::MAX)?.reply()?;
    // 24 bits of colour in 32, lowest byte first: blue, green, red, nothing.
    let pixels = image.data.chunks_exact(4).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]).collect();
    Ok((width, height, pixels))
}
