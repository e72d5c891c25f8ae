export { collectStream } from './collect-stream.ts'
export { spreadResponse } from './spread-response.ts'
