// The rest of undici's index (fetch, caches, mocks) is a fifth of all that Node would read at
// the start.
import buildConnector from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'

export { Agent, buildConnector }
