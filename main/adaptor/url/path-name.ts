import { GatewayError } from '../../base/errors.ts'

/**
 * A model's name as a part of a URL's path; slashes in it are encoded as well. Throws `channel_misconfigured` for `.` and
 * `..`, which no encoding keeps: with them a name would choose another path for the channel's key.
 */
export function pathName(name: string): string {
  if (name !== '.' && name !== '..') return encodeURIComponent(name)
  throw new GatewayError('channel_misconfigured', {
    message: `A model name in a URL cannot hold “${name}” as a part of its own. Correct the name in models or model_mapping.`,
    field: 'models',
    reason: { code: 'model_name_in_path', name },
  })
}
