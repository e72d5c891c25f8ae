export const stepUp = {
  title: 'Confirm it’s you',
  loading: 'Loading confirmation methods…',
  method: 'Confirm with',
  with_2fa: 'Code',
  with_password: 'Password',
  code: 'Code',
  codeHint: 'Six digits from your authenticator app, or a backup code.',
  password: 'Your password',
  confirm: 'Confirm',
  checking: 'Checking…',
  noMethod: 'This account has no password or second factor yet: set one under Settings.',
}
