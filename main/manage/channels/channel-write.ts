import { adaptorOf } from '../../adaptor/adaptors.ts'
import { presets } from '../../adaptor/presets.ts'
import { GatewayError } from '../../base/errors.ts'
import { hostOf } from '../../base/net/host-of.ts'
import type { Reason } from '../../base/reason.ts'
import type { Channel, ChannelFields } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { isPrivateHost, readBaseUrl, readSettings } from './channel-base-url.ts'
import type { ChannelInput } from './channel-fields.ts'
import { statesToEnable, statusNote } from './channel-key-states.ts'
import { withKnownPassword } from './channel-proxy.ts'
import { withKnownHeaders } from './secret-headers.ts'

const refuse = (field: string, message: string, reason: Reason | undefined): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

/**
 * The stored fields that the input names; null clears a field. `before` is the channel that is changed: the
 * password of its proxy and the secrets of its header override come back hidden.
 */
export function toChannelFields(
  input: ChannelInput,
  parts: GatewayParts,
  before?: Channel,
): Partial<Channel> {
  const fields: Partial<Channel> = {
    type: input.type,
    name: input.name,
    baseUrl: input.base_url === undefined ? undefined : readBaseUrl(input.base_url ?? '', parts),
    other: input.other === null ? '' : input.other,
    models: input.models,
    groups: input.group?.length === 0 ? ['default'] : input.group,
    weight: input.weight === null ? 0 : input.weight,
    priority: input.priority === null ? 0 : input.priority,
    tag: input.tag,
    modelMapping: input.model_mapping,
    statusCodeMapping: input.status_code_mapping,
    paramOverride: input.param_override,
    headerOverride: withKnownHeaders(input.header_override, before?.headerOverride),
    setting: withKnownPassword(input.setting, before?.setting),
    settings: readSettings(input.settings, parts),
    testModel: input.test_model,
    openaiOrganization: input.openai_organization,
    autoBan: input.auto_ban === null ? 1 : input.auto_ban,
    remark: input.remark,
    preset: input.preset,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Vendors ask for a key; what runs inside this process or on a private network need not. */
function needsKey({
  type,
  baseUrl = '',
  preset,
}: Pick<ChannelFields, 'type' | 'baseUrl' | 'preset'>): boolean {
  const adaptor = adaptorOf(type)
  if (!adaptor || adaptor.local) return false
  if (presets.find(({ id }) => id === preset)?.needs_key === false) return false
  const url = baseUrl || adaptor.defaultBaseUrl
  return !(URL.canParse(url) && isPrivateHost(hostOf(new URL(url))))
}

const unsupported = (type: number): GatewayError =>
  refuse('type', `The channel type ${type} is not supported. Choose another one.`, {
    code: 'channel_type_unsupported',
    type,
  })

/** Throws `invalid_params` for a channel that no call could be sent through. */
export function checkChannel(channel: ChannelFields & { keyUnreadable?: boolean }): void {
  const { type, name, models = [] } = channel
  if (!adaptorOf(type)) throw unsupported(type)
  if (name === '') throw refuse('name', 'The channel needs a name.', { code: 'field_empty' })
  if (models.length === 0)
    throw refuse('models', 'Name at least one model that the channel serves.', {
      code: 'models_needed',
    })
  checkAccount(channel)
}

/** Throws `invalid_params` where the vendor of a channel cannot be asked for anything. */
export function checkAccount(
  channel: Omit<ChannelFields, 'name'> & { keyUnreadable?: boolean },
): void {
  const { type, key = '', baseUrl = '' } = channel
  const adaptor = adaptorOf(type)
  if (!adaptor) throw unsupported(type)
  if (baseUrl === '' && adaptor.defaultBaseUrl === '' && !adaptor.local) {
    throw refuse('base_url', `A channel of type ${adaptor.name} needs a base URL.`, {
      code: 'base_url_needed',
      type: adaptor.name,
    })
  }
  if (key === '' && !channel.keyUnreadable && needsKey(channel)) {
    throw refuse(
      'key',
      `${adaptor.name} needs a key. Make one on the vendor's page and paste it.`,
      {
        code: 'key_needed',
        type: adaptor.name,
      },
    )
  }
  try {
    adaptor.checkOther?.(channel.other ?? '')
  } catch (error) {
    throw error instanceof GatewayError ? refuse('other', error.message, error.reason) : error
  }
}

/** The fields that a change of status by hand brings; the status as it was read changes nothing. */
export function statusFields(
  channel: Channel,
  status: 1 | 2 | 3 | undefined,
  username: string,
): Partial<Channel> {
  if (status === undefined || status === channel.status) return {}
  if (status === 3)
    throw refuse('status', 'Status must be 1 (enabled) or 2 (disabled).', {
      code: 'field_one_of',
      values: '1, 2',
    })
  const keyStates = status === 1 ? statesToEnable(channel) : undefined
  return {
    status,
    otherInfo: statusNote(`${status === 1 ? 'Enabled' : 'Disabled'} by ${username}`, {
      code: status === 1 ? 'enabled_by' : 'disabled_by',
      user: username,
    }),
    ...(keyStates ? { keyStates } : {}),
  }
}
