import type { Operation } from '../operation/operation.ts'

/** How many requests are taken in how many seconds (management-api §2.4). */
export const requestLimits = {
  global: { seconds: 180, strangers: 180, accessToken: 1_000, session: 6_000 },
  critical: { seconds: 1200, requests: 20 },
  search: { seconds: 60, accessToken: 10, session: 120 },
} as const

const { global, critical, search } = requestLimits

const minutes = (seconds: number): string =>
  seconds === 60 ? 'a minute' : `${seconds / 60} minutes`

/** Rate limits that hold for all operations. */
export const globalLimits = `In ${minutes(global.seconds)} an address that is not signed in may send ${global.strangers} requests, an access token ${global.accessToken}, a session ${global.session}; further ones are answered 429. Where an operation has a limit of its own, its description says so.`

const rates: Readonly<Record<NonNullable<Operation['limit']>, string>> = {
  critical: `At most ${critical.requests} times in ${minutes(critical.seconds)} for each user or address (429).`,
  entry: `From one address at most ${global.strangers} times in ${minutes(global.seconds)}, counted together with the other steps of signing in, and apart from other requests (429). No limit for this machine and for browsers that somebody signed in with before.`,
  search: `In ${minutes(search.seconds)} at most ${search.accessToken} times with an access token, ${search.session} times with a session (429).`,
}

const guesses: Readonly<Record<NonNullable<Operation['guesses']>, string>> = {
  'login-password': 'Wrong passwords make the next attempt wait, longer each time (429).',
  'login-code':
    'The fifth wrong code in a row locks the address, browser or machine that it comes from; the tenth from elsewhere locks every address but this machine and browsers that the user signed in with before. A lock takes 5 minutes, each further one twice as long, up to an hour (423).',
  'own-secret':
    'The fifth wrong code or password in a row locks for 5 minutes, each further one again (423).',
}

/** One sentence for each of an operation's own limits. */
export const limitSentences = ({
  limit,
  guesses: kind,
}: Pick<Operation, 'limit' | 'guesses'>): string[] => [
  ...(limit ? [rates[limit]] : []),
  ...(kind ? [guesses[kind]] : []),
]
