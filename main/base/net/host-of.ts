/** A URL's host: an address without brackets, or a name in small letters without a trailing dot. */
export const hostOf = (url: URL): string =>
  url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
