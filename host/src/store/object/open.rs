//! Opens buckets by their URLs.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::{HttpClient, HttpConnector};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};

use super::{BucketStore, DEFAULT_TIMEOUT};
use crate::{OpenError, tls};

/// The time limit for making a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How often a request is sent again.
const RETRIES: usize = 5;

impl BucketStore {
    /// Opens a store below a URL: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or
    /// `az://CONTAINER/PREFIX`. Credentials, the region and all other options come from the
    /// environment variables that the crate `object_store` reads, such as `AWS_ACCESS_KEY_ID`.
    /// `endpoint` is the URL of another server with the same protocol. Sends no request.
    ///
    /// Errors: a URL of another form, and options that the crate rejects.
    pub fn from_url(url: &str, endpoint: Option<&str>) -> Result<Self, OpenError> {
        BucketStore::from_url_with(url, endpoint, &[])
    }

    /// Opens a store as [`BucketStore::from_url`] does, but with options instead of environment
    /// variables: pairs of a name, such as `aws_access_key_id`, and a value.
    pub fn from_url_with(
        url: &str,
        endpoint: Option<&str>,
        options: &[(&str, &str)],
    ) -> Result<Self, OpenError> {
        Ok(BucketStore::opened(url, endpoint, options)?)
    }

    fn opened(url: &str, endpoint: Option<&str>, options: &[(&str, &str)]) -> anyhow::Result<Self> {
        let (scheme, rest) =
            url.split_once("://").context("the URL of a store must begin with s3://, gs:// or az://")?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            bail!("the URL of a store must name a bucket: {scheme}://BUCKET/PREFIX");
        }
        let prefix = Path::parse(prefix.trim_matches('/')).context("the prefix of the store is invalid")?;
        let at = Server { bucket, endpoint, options };
        let opened = match scheme {
            "s3" => at.open_s3()?,
            "gs" => at.open_gs()?,
            "az" => at.open_az()?,
            _ => bail!("the URL of a store must begin with s3://, gs:// or az://, not {scheme}://"),
        };
        Ok(BucketStore::new(opened, prefix))
    }
}

/// A bucket and the options for its server.
struct Server<'a> {
    bucket: &'a str,
    endpoint: Option<&'a str>,
    options: &'a [(&'a str, &'a str)],
}

impl Server<'_> {
    fn open_s3(&self) -> anyhow::Result<Arc<dyn object_store::ObjectStore>> {
        let mut builder = AmazonS3Builder::from_env().with_bucket_name(self.bucket).with_retry(retry());
        for (name, value) in self.options {
            builder = builder.with_config(name.parse()?, *value);
        }
        if let Some(endpoint) = self.endpoint {
            builder = builder.with_endpoint(endpoint).with_allow_http(is_plain(endpoint));
        }
        Ok(Arc::new(builder.with_http_connector(Connector).build()?))
    }

    fn open_gs(&self) -> anyhow::Result<Arc<dyn object_store::ObjectStore>> {
        let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(self.bucket);
        let mut builder = builder.with_retry(retry());
        for (name, value) in self.options {
            builder = builder.with_config(name.parse()?, *value);
        }
        if let Some(endpoint) = self.endpoint {
            builder = builder.with_config(GoogleConfigKey::BaseUrl, endpoint);
        }
        Ok(Arc::new(builder.with_http_connector(Connector).build()?))
    }

    fn open_az(&self) -> anyhow::Result<Arc<dyn object_store::ObjectStore>> {
        let builder = MicrosoftAzureBuilder::from_env().with_container_name(self.bucket);
        let mut builder = builder.with_retry(retry());
        for (name, value) in self.options {
            builder = builder.with_config(name.parse()?, *value);
        }
        if let Some(endpoint) = self.endpoint {
            builder = builder.with_endpoint(endpoint.to_owned()).with_allow_http(is_plain(endpoint));
        }
        Ok(Arc::new(builder.with_http_connector(Connector).build()?))
    }
}

fn retry() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig { max_backoff: Duration::from_secs(1), ..BackoffConfig::default() },
        max_retries: RETRIES,
        retry_timeout: DEFAULT_TIMEOUT / 2,
    }
}

fn is_plain(endpoint: &str) -> bool {
    endpoint.starts_with("http://")
}

/// Connects with the certificates of the system, as everything in this crate does.
#[derive(Debug)]
struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| object_store::Error::Generic {
            store: "HTTP",
            source,
        };
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::config().map_err(|error| failed(error.into()))?)
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(DEFAULT_TIMEOUT / 2)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| failed(error.into()))?;
        Ok(HttpClient::new(client))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_url_is_refused() {
        for url in ["", "s3:", "s3://", "ftp://bucket/x", "bucket/x", "s3:///x"] {
            assert!(BucketStore::from_url(url, None).is_err(), "{url}");
        }
        let opened = BucketStore::from_url("s3://bucket/agents/a/", Some("http://127.0.0.1:1"));
        assert_eq!(opened.unwrap().keys.meta("x").as_ref(), "agents/a/meta/x.json");
    }
}
