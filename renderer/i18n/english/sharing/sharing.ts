export const sharing = {
  title: 'Share this gateway',
  hint: 'For other people, each with an account, tokens and a balance of their own.',
  share: 'Share this gateway…',
  confirm: 'Share',
  starting: 'Sharing…',
  notNow: 'Not now',
  changes: 'This changes:',
  change_pages: 'Users, Codes, Payments and Groups appear in the sidebar.',
  change_balance:
    'Balances count: an empty one refuses calls. Yours, {{balance}} now, is charged like any other.',
  change_prices: 'Models without a price are refused, unless a user accepts them in Settings.',
  change_network:
    'The address stays {{url}}. Nobody can register until you turn on Open registration.',
  back: 'You can stop sharing once all other users are deleted.',
  isShared: 'This gateway is shared: balances, groups and users are in use.',
  stop: 'Stop sharing',
  stopping: 'Stopping…',
  others_one: '{{count}} other user has an account. Delete it first.',
  others_other: '{{count}} other users have accounts. Delete them first.',
  nobody: 'Nobody else has an account.',
  toUsers: 'Users',
}
