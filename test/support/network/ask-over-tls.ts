/**
 * A process of its own, since Node reads NODE_EXTRA_CA_CERTS and SSL_CERT_FILE once: asks each URL that it is given as
 * the gateway asks upstreams, trusting the authority in TRUST_ALSO as well, and prints a JSON list of statuses, or
 * of the codes that connecting failed with.
 */
import { sendUpstream } from '../../../main/upstream/send-upstream.ts'
import { trustAlso } from '../../../main/upstream/tls/trust.ts'

const { TRUST_ALSO } = process.env
if (TRUST_ALSO) trustAlso({}, [TRUST_ALSO])

const outcomes: unknown[] = []
for (const url of process.argv.slice(2)) {
  const outcome = await sendUpstream({ method: 'GET', url, headers: {} }).then(
    ({ status, body }) => {
      body.abort()
      return status
    },
    (error) => error.cause?.code ?? String(error),
  )
  outcomes.push(outcome)
}
process.stdout.write(JSON.stringify(outcomes))
process.exit(0)
