import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { runGateway, temporaryDataFolder } from '../../support/gateway/gateway-process.ts'

const OWNER = { username: 'ada', password: 'correct horse' }
const SLOW = 120_000

async function send(url: string, path: string, body: object, cookie = '') {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })
  const set = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
  return { cookie: set, body: JSON.parse(await response.text()) }
}

/** `npm run gateway -- --reset-2fa …` on a folder: its exit code and all that it says. */
async function reset(dataFolder: string, ...names: string[]) {
  const process = await runGateway({
    dataFolder,
    flags: ['--reset-2fa', ...names, '--data-dir', dataFolder],
  })
  const { code } = await process.exited
  return { code, stdout: process.stdout(), stderr: process.stderr() }
}

test(
  'an owner who has lost the app gets in again from the command line, once the gateway is stopped',
  async () => {
    const first = await runGateway()
    const { dataFolder } = first
    const setup = { ...OWNER, confirmPassword: OWNER.password }
    const { cookie } = await send(first.url, '/api/setup', setup)
    const { data } = (await send(first.url, '/api/user/2fa/setup', {}, cookie)).body
    const code = generateSync({ secret: data.secret })
    expect((await send(first.url, '/api/user/2fa/enable', { code }, cookie)).body.success).toBe(
      true,
    )
    const login = await send(first.url, '/api/user/login', OWNER)
    expect(login.body.data).toEqual({ require_2fa: true })

    const early = await reset(dataFolder)
    expect(early.code).toBe(1)
    expect(early.stdout).toBe('')
    expect(early.stderr).toContain(`in use by another Switchyard (process ${first.pid}`)
    expect(early.stderr).toContain('stop it first')

    await first.stop()
    const unknown = await reset(dataFolder, 'bob')
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      `There is no user "bob" in ${dataFolder}.\n`,
    ])
    const done = await reset(dataFolder, 'ada')
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toContain('The second factor of "ada" is removed.')
    const again = await reset(dataFolder)
    expect([again.code, again.stdout]).toEqual([
      0,
      '"ada" has no second factor: nothing was changed.\n',
    ])

    const second = await runGateway({ dataFolder })
    expect((await send(second.url, '/api/user/login', OWNER)).body.data.username).toBe('ada')
    // The session of before was of somebody who had shown a second factor.
    const self = await fetch(`${second.url}/api/user/self`, { headers: { cookie } })
    expect(self.status).toBe(401)
    const log = await send(second.url, '/api/user/login', OWNER)
    const rows = await fetch(`${second.url}/api/log/?type=4`, { headers: { cookie: log.cookie } })
    expect(await rows.text()).toContain('was removed from the command line')
  },
  SLOW,
)

test(
  'a folder without a gateway in it stays as it is',
  async () => {
    const dataFolder = `${temporaryDataFolder()}/nothing`
    const { code, stderr } = await reset(dataFolder)
    expect([code, stderr]).toEqual([
      1,
      `${dataFolder} holds no Switchyard. Name its folder with --data-dir.\n`,
    ])
    const { code: wrong, stderr: usage } = await reset(dataFolder, 'ada', 'bob')
    expect(wrong).toBe(1)
    expect(usage).toContain("Unexpected argument 'bob'")
  },
  SLOW,
)
