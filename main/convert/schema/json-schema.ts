export { anthropicOutputSchema } from './anthropic-schema.ts'
export { googleSchema } from './google-schema.ts'
export { objectSchema } from './object-schema.ts'
export { fitsStrict } from './strict-schema.ts'
