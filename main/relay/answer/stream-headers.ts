/** Keep proxies from holding a stream back. */
export const streamHeaders = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' } as const
