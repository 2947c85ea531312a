//! The real window, on a display of its own, driven from outside: Xvfb, a session bus, `tauri-driver`
//! and WebKit's own driver. Nothing of this computer's desktop is touched.

mod computer;
mod desk;
mod picture;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;

pub use computer::Computer;
pub use desk::Desk;
pub use picture::colours;

use crate::tool::Error;

/// An open window.
pub struct Window {
    client: Client,
    display: String,
    pictures: PathBuf,
    /// What the names of its pictures begin with.
    prefix: &'static str,
}

/// How long a thing on the page is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

impl Window {
    /// Starts the program and waits until the window is there.
    ///
    /// # Errors
    /// It does not start.
    pub async fn open(desk: &Desk, program: &Path) -> Result<Self, Error> {
        let wish = serde_json::json!({
            "browserName": "wry",
            "tauri:options": { "application": program },
        });
        let serde_json::Value::Object(wish) = wish else { return Err(Error::Window("no wish".into())) };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let client = builder.capabilities(wish).connect(&desk.address()).await;
        let client = client.map_err(|error| Error::Window(format!("the window does not open: {error}")))?;
        let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures");
        fs::create_dir_all(&pictures).map_err(Error::at(&pictures))?;
        Ok(Self { client, display: desk.display().to_owned(), pictures, prefix: "" })
    }

    /// The names of its pictures begin so.
    pub fn with_prefix(self, prefix: &'static str) -> Self {
        Self { prefix, ..self }
    }

    /// Closes the window, as the person would.
    ///
    /// # Errors
    /// The driver does not answer.
    pub async fn close(self) -> Result<(), Error> {
        self.client.close().await.map_err(|error| Error::Window(error.to_string()))
    }

    /// Waits for what a CSS selector names.
    ///
    /// # Errors
    /// It does not come; the error has the page's text.
    pub async fn wait(&self, selector: &str) -> Result<Element, Error> {
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(selector)).await;
        match found {
            Ok(element) => Ok(element),
            Err(_) => Err(Error::Window(format!("`{selector}` does not come. The page says:\n{}", self.text().await))),
        }
    }

    /// Waits for a thing that can be pressed now, and presses it.
    ///
    /// # Errors
    /// It does not come.
    pub async fn press(&self, selector: &str) -> Result<(), Error> {
        let element = self.wait(&format!("{selector}:not([aria-disabled=\"true\"])")).await?;
        element.click().await.map_err(|error| Error::Window(format!("`{selector}`: {error}")))
    }

    /// Empties a field and types into it.
    ///
    /// # Errors
    /// There is no such field.
    pub async fn fill(&self, selector: &str, text: &str) -> Result<(), Error> {
        let field = self.wait(selector).await?;
        let typed = async {
            field.clear().await?;
            field.send_keys(text).await
        };
        typed.await.map_err(|error| Error::Window(format!("`{selector}`: {error}")))
    }

    /// The text of what a selector names.
    ///
    /// # Errors
    /// It does not come.
    pub async fn read(&self, selector: &str) -> Result<String, Error> {
        let element = self.wait(selector).await?;
        element.text().await.map_err(|error| Error::Window(format!("`{selector}`: {error}")))
    }

    /// Everything that can be read on the page.
    pub async fn text(&self) -> String {
        let Ok(body) = self.client.find(Locator::Css("body")).await else { return String::new() };
        body.text().await.unwrap_or_default()
    }

    /// Takes a picture, once everything that moves has come to rest.
    ///
    /// # Errors
    /// The display gives none, or it cannot be written.
    pub async fn picture(&self, name: &str) -> Result<(), Error> {
        tokio::time::sleep(Duration::from_millis(400)).await;
        picture::take(&self.display, &self.pictures.join(format!("{}{name}.png", self.prefix)))
    }

    /// Runs a script in the page. For looking, never for doing.
    ///
    /// # Errors
    /// The script fails.
    pub async fn ask(&self, script: &str) -> Result<serde_json::Value, Error> {
        self.client.execute(script, vec![]).await.map_err(|error| Error::Window(error.to_string()))
    }
}
