import { afterAll } from 'vitest'
import { builtinEnvironments } from 'vitest/runtime'

/** A link that saves a file would take the page away, and its timers with it. */
const settings = {
  navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true },
}

/**
 * happy-dom's window, one for all the files of a process: React keeps the timers of the window that it was loaded in,
 * and draws nothing more once those are gone. For the same reason no timer is cancelled.
 */
if (!('window' in globalThis))
  await builtinEnvironments['happy-dom'].setup(globalThis, { happyDOM: { settings } })

/**
 * React notes a stack for each of the first ten thousand elements of every second, for its warnings alone: a sixth of
 * what these tests cost. Its own counter says when that is enough; it is from the start.
 */
const react: object = await import('react')
const internals = Reflect.get(
  react,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
)
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Infinity,
  set() {},
  configurable: true,
})

/**
 * Without style sheets, what holds for an element stands at it, or at one around it. To find that out, happy-dom goes
 * through every rule that a browser has of its own: a tenth of what these tests cost.
 */
window.getComputedStyle = ({ style, parentElement }: Element & { style?: CSSStyleDeclaration }) =>
  new Proxy(style ?? document.createElement('i').style, {
    get(own, name) {
      const value = Reflect.get(own, name)
      if (name === 'visibility' && value === '' && parentElement)
        return getComputedStyle(parentElement).visibility
      return typeof value === 'function' ? value.bind(own) : value
    },
  })

/** Each file begins with an empty page. */
afterAll(() => {
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})
