/** What Echo is asked in every wire format, and what it makes of it. */
export const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
}
export const hello = 'Hello there, wide world 世界'
export const askWeather = 'Please use get_weather for {"city": "Oslo", "days": 2}'
export const oslo = { city: 'Oslo', days: 2 }
