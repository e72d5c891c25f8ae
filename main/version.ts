import packageJson from '../package.json' with { type: 'json' }

/** The version in package.json, put in at build time. */
export const version: string = packageJson.version
