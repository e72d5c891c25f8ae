/** A tool and prompts for Echo in every wire format, and the arguments of its call. */
export const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
}
export const hello = 'Hello there, wide world 世界'
export const askWeather = 'Please use get_weather for {"city": "Oslo", "days": 2}'
export const oslo = { city: 'Oslo', days: 2 }
