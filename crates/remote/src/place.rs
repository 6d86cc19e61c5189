//! A folder of an object store.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{
    ClientConfigKey, ClientOptions, Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, RetryConfig,
};
use stillframe_frames::store::StoreAddress;
use url::{Position, Url};

use crate::trouble::Failure;

/// Requests under way for one question.
const HEADS_MAX: usize = 16;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A folder of an object store.
#[derive(Debug)]
pub struct Place {
    address: String,
    store: PrefixStore<Box<dyn ObjectStore>>,
    /// WebDAV knows no conditional writes, makes folders one by one, and lists as its server likes.
    is_webdav: bool,
}

/// Whether a file was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    Stored,
    Known,
}

impl Place {
    /// Finds credentials and prepares a client; nothing is asked over the network yet.
    pub fn open(address: &str, environment: &[(String, String)]) -> Result<Place, Failure> {
        match StoreAddress::parse(address) {
            Ok(StoreAddress::Remote(_)) => {}
            Ok(_) => return Err(Failure::usage(format!("`{address}` is not an address of an object store"))),
            Err(error) => return Err(Failure::usage(error.to_string())),
        }
        let url = Url::parse(address).map_err(|error| Failure::usage(format!("`{address}`: {error}")))?;
        let folder = Path::from_url_path(url.path()).map_err(|error| Failure::usage(error.to_string()))?;
        let variable =
            |name: &str| environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let timeout_s = number(variable("STILLFRAME_REMOTE_TIMEOUT_S"), "STILLFRAME_REMOTE_TIMEOUT_S", 60)?;
        let retry_count = number(variable("STILLFRAME_REMOTE_RETRIES"), "STILLFRAME_REMOTE_RETRIES", 4)?;
        let retry = RetryConfig {
            max_retries: retry_count as usize,
            retry_timeout: Duration::from_secs((timeout_s * (retry_count + 1)).min(240)),
            ..RetryConfig::default()
        };
        let timeout = format!("{timeout_s}s");
        let connect = format!("{}s", CONNECT_TIMEOUT.as_secs().min(timeout_s));
        let store: Result<Box<dyn ObjectStore>, Error> = match url.scheme() {
            "s3" => {
                let endpoint =
                    ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"].into_iter().find_map(variable);
                let mut builder = AmazonS3Builder::from_env()
                    .with_url(address)
                    .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), timeout)
                    .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::ConnectTimeout), connect)
                    .with_retry(retry);
                if let Some(endpoint) = endpoint {
                    builder = builder.with_endpoint(endpoint);
                    if endpoint.starts_with("http://") {
                        builder = builder.with_allow_http(true);
                    }
                }
                builder.build().map(|store| Box::new(store) as _)
            }
            "gs" => {
                let mut builder = GoogleCloudStorageBuilder::from_env()
                    .with_url(address)
                    .with_config(GoogleConfigKey::Client(ClientConfigKey::Timeout), timeout)
                    .with_config(GoogleConfigKey::Client(ClientConfigKey::ConnectTimeout), connect)
                    .with_retry(retry);
                if let Some(emulator) = variable("STORAGE_EMULATOR_HOST") {
                    let base = if emulator.contains("://") { emulator.into() } else { format!("http://{emulator}") };
                    // Without a signature alone the client would still ask Google for who may write.
                    let nobody =
                        r#"{"disable_oauth": true, "client_email": "", "private_key": "", "private_key_id": ""}"#;
                    builder = builder
                        .with_base_url(base.trim_end_matches('/'))
                        .with_service_account_key(nobody)
                        .with_config(GoogleConfigKey::Client(ClientConfigKey::AllowHttp), "true");
                }
                builder.build().map(|store| Box::new(store) as _)
            }
            "az" => MicrosoftAzureBuilder::from_env()
                .with_url(address)
                .with_config(AzureConfigKey::Client(ClientConfigKey::Timeout), timeout)
                .with_config(AzureConfigKey::Client(ClientConfigKey::ConnectTimeout), connect)
                .with_retry(retry)
                .build()
                .map(|store| Box::new(store) as _),
            _ => {
                let mut options = ClientOptions::new()
                    .with_timeout(Duration::from_secs(timeout_s))
                    .with_connect_timeout(CONNECT_TIMEOUT.min(Duration::from_secs(timeout_s)))
                    .with_allow_http(url.scheme() == "http");
                if let Some(value) = variable("STILLFRAME_REMOTE_AUTHORIZATION") {
                    let mut value: http::HeaderValue = value.parse().map_err(|_| {
                        Failure::usage("STILLFRAME_REMOTE_AUTHORIZATION is not a value of a header".into())
                    })?;
                    value.set_sensitive(true);
                    options =
                        options.with_default_headers([(http::header::AUTHORIZATION, value)].into_iter().collect());
                }
                HttpBuilder::new()
                    .with_url(&url[..Position::BeforePath])
                    .with_client_options(options)
                    .with_retry(retry)
                    .build()
                    .map(|store| Box::new(store) as _)
            }
        };
        let store = store.map_err(|error| Failure::of(address, &error))?;
        let is_webdav = matches!(url.scheme(), "http" | "https");
        Ok(Place { address: address.to_string(), store: PrefixStore::new(store, folder), is_webdav })
    }

    /// Whether the store is there and lets us in, so that a wrong bucket is not taken for an empty one.
    pub async fn probe(&self) -> Result<(), Failure> {
        let answer = if self.is_webdav {
            self.store.head(&Path::from("00")).await.map(|_| ())
        } else {
            self.store.list(None).next().await.transpose().map(|_| ())
        };
        match answer {
            Ok(()) => Ok(()),
            // Not an error of WebDAV; of the others, a bucket that is not there.
            Err(Error::NotFound { .. }) if self.is_webdav => Ok(()),
            // Some may read and write but not list.
            Err(Error::PermissionDenied { .. }) => Ok(()),
            Err(error @ Error::NotFound { .. }) => {
                let failure = Failure::of("no such bucket or container", &error);
                Err(Failure { trouble: stillframe_frames::store::wire::Trouble::NoSuchPlace, ..failure })
            }
            Err(error) => Err(Failure::of(&self.address, &error)),
        }
    }

    /// Number of files and their bytes.
    pub async fn sum(&self) -> Result<(u64, u64), Failure> {
        let files = self.list("").await?;
        Ok((files.len() as u64, files.iter().map(|(_, bytes)| bytes).sum()))
    }

    /// Sizes, none for those that are not there.
    pub async fn sizes(&self, keys: &[String]) -> Result<Vec<Option<u64>>, Failure> {
        futures_util::stream::iter(keys.iter().map(|key| self.size(key))).buffered(HEADS_MAX).try_collect().await
    }

    async fn size(&self, key: &str) -> Result<Option<u64>, Failure> {
        match self.store.head(&path(key)?).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(Failure::of(&format!("looking for {key}"), &error)),
        }
    }

    /// The bytes of a file, if it is there.
    pub async fn read(&self, key: &str) -> Result<Option<Bytes>, Failure> {
        let failure = |error: &Error| Failure::of(&format!("reading {key}"), error);
        let found = match self.store.get(&path(key)?).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(failure(&error)),
        };
        let size = found.meta.size;
        let bytes = found.bytes().await.map_err(|error| failure(&error))?;
        if bytes.len() as u64 != size {
            return Err(Failure::broken(format!("reading {key}: {} of {size} bytes came", bytes.len())));
        }
        Ok(Some(bytes))
    }

    /// Stores a file unless there is one, then looks whether all of it is there.
    pub async fn write(&self, key: &str, bytes: Bytes) -> Result<Put, Failure> {
        let at = path(key)?;
        let failure = |error: &Error| Failure::of(&format!("writing {key}"), error);
        let length = bytes.len() as u64;
        if self.is_webdav {
            match self.size(key).await? {
                Some(size) if size == length => return Ok(Put::Known),
                _ => self.write_webdav(&at, bytes).await.map_err(|error| failure(&error))?,
            }
        } else {
            let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
            match self.store.put_opts(&at, bytes.into(), options).await {
                Ok(_) => {}
                Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => return Ok(Put::Known),
                Err(error) => return Err(failure(&error)),
            }
        }
        match self.size(key).await? {
            Some(size) if size == length => Ok(Put::Stored),
            Some(size) => Err(Failure::broken(format!("writing {key}: {size} of {length} bytes arrived"))),
            None => {
                Err(Failure::broken(format!("writing {key}: the server says that it is stored, but it is not there")))
            }
        }
    }

    /// Two files of one new folder both ask for it; the server refuses the slower one, whose next try finds it.
    async fn write_webdav(&self, at: &Path, bytes: Bytes) -> Result<(), Error> {
        let mut last = None;
        for _ in 0..4 {
            match self.store.put(at, bytes.clone().into()).await {
                Ok(_) => return Ok(()),
                Err(error @ (Error::PermissionDenied { .. } | Error::Unauthenticated { .. })) => return Err(error),
                Err(error) => last = Some(error),
            }
        }
        Err(last.expect("tried more than once"))
    }

    /// Keys and sizes of all files whose key starts with the folders in `prefix`, sorted.
    pub async fn list(&self, prefix: &str) -> Result<Vec<(String, u64)>, Failure> {
        let prefix = if prefix.is_empty() { None } else { Some(path(prefix)?) };
        let listed: Result<Vec<_>, Error> =
            self.store.list(prefix.as_ref()).map_ok(|meta| (meta.location.to_string(), meta.size)).try_collect().await;
        let mut files = listed.map_err(|error| Failure::of(&format!("listing {}", self.address), &error))?;
        files.sort();
        Ok(files)
    }

    /// Removes files; those that are gone already do not matter.
    pub async fn delete(&self, keys: &[String]) -> Result<u64, Failure> {
        let mut count = 0;
        for key in keys {
            match self.store.delete(&path(key)?).await {
                Ok(()) => count += 1,
                Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(Failure::of(&format!("removing {key}"), &error)),
            }
        }
        Ok(count)
    }
}

fn path(key: &str) -> Result<Path, Failure> {
    Path::parse(key).map_err(|error| Failure::broken(format!("`{key}` is not a key: {error}")))
}

fn number(text: Option<&str>, name: &str, default: u64) -> Result<u64, Failure> {
    match text.map(|text| text.parse::<u64>()) {
        None => Ok(default),
        Some(Ok(number)) if number <= 3600 => Ok(number),
        Some(_) => Err(Failure::usage(format!("{name} is a whole number up to 3600"))),
    }
}
