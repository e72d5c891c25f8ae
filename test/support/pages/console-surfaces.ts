import type { Page } from 'playwright'
import { playgroundSurfaces } from './playground-surfaces.ts'
import { routeSurfaces } from './route-surfaces.ts'
import {
  click,
  dialog,
  fill,
  inOrder,
  item,
  menu,
  more,
  press,
  type Surface,
  tick,
} from './surface-steps.ts'

const pages: Surface[] = [
  { name: 'Overview', path: '/', route: '/' },
  { name: 'Playground', path: '/playground', route: '/playground' },
  { name: 'Channels', path: '/channels', route: '/channels' },
  { name: 'Routes', path: '/routes', route: '/routes' },
  { name: 'Connect', path: '/connect', route: '/connect/:section?' },
  { name: 'Tokens', path: '/connect/tokens' },
  { name: 'Calls', path: '/calls', route: '/calls' },
  { name: 'Failures to replay', path: '/calls/replay', route: '/calls/replay' },
  { name: 'Replay', path: '/calls/replay/CALL', route: '/calls/replay/:id' },
  { name: 'Sessions', path: '/calls/sessions', route: '/calls/sessions' },
  { name: 'Usage', path: '/usage', route: '/usage/:section?' },
  { name: 'Prices', path: '/usage/prices' },
  { name: 'Redeem', path: '/redeem', route: '/redeem' },
  { name: 'Codes', path: '/codes', route: '/codes' },
  { name: 'Groups', path: '/groups', route: '/groups' },
  { name: 'Payments', path: '/payments', route: '/payments' },
  { name: 'Users', path: '/users', route: '/users' },
  { name: 'Health', path: '/health', route: '/health' },
  { name: 'API reference', path: '/api-reference', route: '/api-reference' },
  { name: 'Settings', path: '/settings', route: '/settings/:section?' },
  ...['security', 'options', 'transfer', 'desktop'].map((section) => ({
    name: `Settings: ${section}`,
    path: `/settings/${section}`,
  })),
  { name: 'No such page', path: '/no-such-page' },
]

const overShell: Surface[] = [
  {
    name: 'Search',
    path: '/redeem',
    shows: ['pages/search/search-dialog.tsx'],
    open: inOrder(press('Control+k'), dialog),
  },
  {
    name: 'Search results',
    path: '/redeem',
    open: inOrder(
      press('Control+k'),
      dialog,
      (page) => page.keyboard.type('relay'),
      (page) => page.getByRole('option').first().waitFor(),
    ),
  },
  {
    name: 'Shortcuts',
    path: '/redeem',
    shows: ['components/shortcuts/shortcuts-dialog.tsx'],
    open: inOrder(press('?'), dialog),
  },
  {
    name: 'Health at a glance',
    path: '/redeem',
    shows: ['components/shell/health-popover.tsx'],
    open: inOrder(click(/^Health/), dialog, click('Details')),
  },
  {
    name: 'Navigation of a narrow window',
    path: '/redeem',
    shows: ['components/shell/narrow-menu.tsx'],
    open: inOrder(
      (page) => page.setViewportSize({ width: 700, height: 800 }),
      click('Open navigation'),
      dialog,
    ),
  },
]

/** Over a list that is filtered, for one of two hundred takes its time to be drawn. */
const overChannels: Surface[] = [
  {
    name: 'Channel: add, choose a vendor',
    path: '/channels?q=Busy',
    open: inOrder(click('Add channel'), dialog),
  },
  {
    name: 'Channel: add, form',
    path: '/channels?q=Busy',
    shows: ['pages/channels/channel-drawer.tsx', 'components/leaving/form-drawer.tsx'],
    open: inOrder(
      click('Add channel'),
      dialog,
      click(/^OpenAI.*api\.openai\.com/),
      fill('Channel key', 'sk-1\nsk-2'),
      click('Advanced'),
    ),
  },
  {
    name: 'Channel: edit',
    path: '/channels?q=Busy',
    open: inOrder(click('Busy vendor'), dialog, click('Advanced')),
  },
  {
    name: 'Channel: leave with edits',
    path: '/channels?q=Busy',
    shows: ['components/leaving/leave-dialog.tsx'],
    open: inOrder(click('Busy vendor'), dialog, fill('Name', 'Busier'), press('Escape'), (page) =>
      page.getByRole('dialog', { name: 'Discard your edits?' }).waitFor(),
    ),
  },
  {
    name: 'Channel: menu',
    path: '/channels?q=Busy',
    shows: ['components/actions/row-menu.tsx', 'pages/channels/list/channel-menu.tsx'],
    open: inOrder(click(more), menu),
  },
  {
    name: 'Channel: delete',
    path: '/channels?q=Busy',
    shows: ['components/actions/confirm-dialog.tsx'],
    open: inOrder(click(more), item('Delete'), dialog),
  },
  {
    name: 'Channel: keys',
    path: '/channels?q=relay-005',
    shows: ['pages/channels/keys/keys-dialog.tsx'],
    open: inOrder(click(/^More actions for relay-005/), item('Keys…'), dialog),
  },
  {
    name: 'Channel: step-up before its key is shown',
    path: '/channels?q=Busy',
    shows: ['components/step-up/step-up.tsx'],
    open: inOrder(click(more), item('Show key'), dialog, (page) =>
      page.getByLabel('Your password').waitFor(),
    ),
  },
  {
    name: 'Channel: its key',
    path: '/channels?q=Busy',
    shows: ['pages/channels/keys/channel-key-dialog.tsx'],
    open: inOrder(
      click(more),
      item('Show key'),
      dialog,
      fill('Your password', 'correct horse'),
      click('Confirm'),
      (page) => page.getByRole('dialog', { name: 'Key of Busy vendor' }).waitFor(),
    ),
  },
  {
    name: 'Channels: some selected',
    path: '/channels?q=Busy',
    open: inOrder(tick(/^Select Busy vendor/), (page) =>
      page.getByRole('button', { name: 'Set tag' }).waitFor(),
    ),
  },
  {
    name: 'Channels: tag of some',
    path: '/channels?q=Busy',
    shows: ['pages/channels/list/bulk-tag-dialog.tsx'],
    open: inOrder(tick(/^Select Busy vendor/), click('Set tag'), dialog),
  },
  {
    name: 'Channels: menu of all',
    path: '/channels?q=Busy',
    shows: ['pages/channels/maintenance/maintenance-menu.tsx'],
    open: inOrder(click('All channels'), menu),
  },
]

const overCalls: Surface[] = [
  ...['route', 'timeline', 'headers', 'request', 'answer', 'stream', 'formats', 'usage'].map(
    (tab) => ({
      name: `Call: ${tab}`,
      path: `/calls?open=CALL&tab=${tab}`,
      shows: ['pages/calls/inspector/inspector.tsx'],
      open: (page: Page) => page.getByRole('tabpanel').first().waitFor(),
    }),
  ),
  {
    name: 'Call: copy as',
    path: '/calls?open=CALL&tab=request',
    shows: ['pages/calls/inspector/capture/copy-as.tsx'],
    open: inOrder(click('Copy as'), menu),
  },
  {
    name: 'Calls: capture',
    path: '/calls',
    shows: ['pages/calls/inspector/capture/capture-control.tsx'],
    open: inOrder(click(/^Capture/), dialog),
  },
  {
    name: 'Calls: view',
    path: '/calls',
    shows: ['pages/calls/list/view-menu.tsx'],
    open: inOrder(click('View'), menu),
  },
]

const overOthers: Surface[] = [
  {
    name: 'Connect: other tools',
    path: '/connect',
    open: async (page) => page.locator('#tools-others button').click(),
  },
  {
    name: 'Connect: a tool',
    path: '/connect?tool=claude-code',
    shows: ['pages/connect/tool-drawer.tsx'],
    open: inOrder(dialog, (page) => page.locator('ins').first().waitFor()),
  },
  {
    name: 'Connect: by hand',
    path: '/connect?tool=sdks',
    open: inOrder(dialog, (page) => page.locator('ol').first().waitFor()),
  },
  {
    name: 'Token: create',
    path: '/connect/tokens',
    shows: ['pages/tokens/token-drawer.tsx'],
    open: inOrder(click('Create token'), dialog),
  },
  {
    name: 'Token: its key',
    path: '/connect/tokens',
    shows: ['pages/tokens/key-dialog.tsx'],
    open: inOrder(click(/^Show key of/), dialog),
  },
  {
    name: 'Token: menu',
    path: '/connect/tokens',
    shows: ['pages/tokens/token-row.tsx'],
    open: inOrder(click(more), menu),
  },
  {
    name: 'Prices: edit',
    path: '/usage/prices',
    shows: ['pages/prices/price-drawer.tsx'],
    open: inOrder(
      async (page) => page.getByText('All', { exact: true }).click(),
      fill('Model or vendor', 'gpt-4o-mini'),
      click('gpt-4o-mini'),
      dialog,
    ),
  },
  {
    name: 'Code: menu',
    path: '/codes',
    shows: ['pages/redeem/codes/code-row.tsx'],
    open: inOrder(click(more), menu),
  },
  {
    name: 'Codes: create',
    path: '/codes',
    shows: ['pages/redeem/codes/code-drawer.tsx'],
    open: inOrder(click('Create codes'), dialog),
  },
  {
    name: 'Codes: created',
    path: '/codes',
    shows: ['pages/redeem/codes/new-codes-dialog.tsx'],
    open: inOrder(
      click('Create codes'),
      dialog,
      fill('Label', 'seen'),
      fill('Value', '5'),
      (page) => page.getByRole('dialog').getByRole('button', { name: 'Create codes' }).click(),
      (page) => page.getByRole('button', { name: 'Download .txt' }).waitFor(),
    ),
  },
  {
    name: 'User: create',
    path: '/users',
    shows: ['pages/users/user-drawer.tsx'],
    open: inOrder(click('Create user'), dialog),
  },
  {
    name: 'User: menu',
    path: '/users',
    shows: ['pages/users/user-menu.tsx'],
    open: inOrder(click(/^More actions for relay/), menu),
  },
  {
    name: 'User: balance',
    path: '/users',
    shows: ['pages/users/quota-dialog.tsx'],
    open: inOrder(click(/^More actions for relay/), item('Change balance'), dialog),
  },
  {
    name: 'Order: menu',
    path: '/payments',
    shows: ['pages/payments/order-actions.tsx'],
    open: inOrder(click(more), menu),
  },
  {
    name: 'Health: diagnostic bundle',
    path: '/health',
    shows: ['pages/health/bundle-button.tsx'],
    open: inOrder(click('Save diagnostic bundle'), dialog),
  },
]

/** Every page of the console, dialog, drawer and menu that the filled gateway can show. */
export const surfaces: readonly Surface[] = [
  ...pages,
  ...overShell,
  ...overChannels,
  ...routeSurfaces,
  ...overCalls,
  ...overOthers,
  ...playgroundSurfaces,
]

/** Surfaces that need another gateway, with the test that opens each. */
export const shownElsewhere: readonly string[] = [
  // channels-bulk.test.ts: with 201 channels its list takes too long
  'pages/channels/tags/tag-drawer.tsx',
  // settings.test.ts
  'pages/settings/sharing/share-dialog.tsx',
  // test/renderer/pages/connect: without a browser, so without axe-core
  'pages/connect/disconnect-all.tsx',
  'pages/connect/undo-button.tsx',
  // test/desktop/links.test.ts
  'pages/settings/transfer/link-dialog.tsx',
  // first-run.test.ts
  'pages/welcome/channel-step.tsx',
  // playground-tasks.test.ts
  'pages/playground/image/picture-card.tsx',
  'pages/playground/run/curl-button.tsx',
]
