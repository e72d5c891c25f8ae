/** The owner's way into a gateway that runs in another process: the HTTP API, signed in by cookie. */
export interface OwnerClient {
  /** The envelope's `data`; throws when the answer is a failure. */
  ask<Data = unknown>(method: string, path: string, body?: object): Promise<Data>
  /** The answer as it is. */
  try(method: string, path: string, body?: object): Promise<OwnerAnswer>
  /** Returns the channel's id. `models` defaults to `model-a`. */
  addChannel(fields: Record<string, unknown>): Promise<number>
  /** Returns the full key of a token without limits. */
  addToken(name?: string): Promise<string>
}

export interface OwnerAnswer {
  status: number
  success: boolean
  message: string
  code?: string
  field?: string
  data: unknown
}

const owner = { username: 'owner', password: 'correct horse' }

async function send(
  url: string,
  method: string,
  path: string,
  body: object | undefined,
  cookie: string,
): Promise<OwnerAnswer & { cookie: string }> {
  const answer = await fetch(url + path, {
    method,
    // As the console does.
    headers: {
      cookie,
      'x-requested-with': 'Switchyard',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const set = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { ...((await answer.json()) as OwnerAnswer), status: answer.status, cookie: set }
}

async function enter(url: string, path: string, body: object): Promise<OwnerClient> {
  const entered = await send(url, 'POST', path, body, '')
  if (!entered.success) throw new Error(`${path}: ${entered.message}`)
  const attempt: OwnerClient['try'] = async (method, path, body) => {
    const { cookie: _cookie, ...answer } = await send(url, method, path, body, entered.cookie)
    return answer
  }
  const ask: OwnerClient['ask'] = async <Data>(method: string, path: string, body?: object) => {
    const answer = await attempt(method, path, body)
    if (!answer.success) throw new Error(`${method} ${path}: ${answer.status} ${answer.message}`)
    return answer.data as Data
  }
  return {
    ask,
    try: attempt,
    async addChannel(fields) {
      const channel = { type: 1, name: 'vendor', key: 'vendor-key', models: 'model-a', ...fields }
      const { ids } = await ask<{ ids: [number] }>('POST', '/api/channel/', {
        mode: 'single',
        channel,
      })
      return ids[0]
    },
    async addToken(name = 'test') {
      const fields = { name, unlimited_quota: true }
      return (await ask<{ key: string }>('POST', '/api/token/', fields)).key
    },
  }
}

/** Runs the first setup of a new gateway and signs in. */
export const setUpOwner = (url: string): Promise<OwnerClient> =>
  enter(url, '/api/setup', { ...owner, confirmPassword: owner.password })

/** Signs in at a gateway that `setUpOwner` has set up before. */
export const signInOwner = (url: string): Promise<OwnerClient> =>
  enter(url, '/api/user/login', owner)
