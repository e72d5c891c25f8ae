export const stepUp = {
  title: 'Is it still you?',
  loading: 'Asking how you can prove it…',
  method: 'Prove it with',
  with_2fa: 'Code',
  with_password: 'Password',
  code: 'Code',
  codeHint: 'Six digits from your authenticator app, or a backup code.',
  password: 'Your password',
  confirm: 'Confirm',
  checking: 'Checking…',
  noMethod:
    'This account has neither a password nor a second factor yet. Set one under Settings first.',
}
