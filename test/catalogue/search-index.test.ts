import { expect, test } from 'vitest'
import { createSearchIndex, type SearchDocument } from '../../src/catalogue/search-index.ts'

const TOOLS = [
  tool('mail.send', 'send_email', 'Sends a message to an address.', ['recipient', 'subject'], 'Communication mail'),
  tool('mail.read', 'readInbox', 'Lists the messages of a mailbox.', ['folder'], 'Communication mail'),
  tool('weather.now', 'get_current_weather', 'Current temperature and wind at a place.', ['city'], 'Weather'),
  tool('weather.week', 'get_weather_forecast', 'Forecast for the next seven days.', ['city'], 'Weather'),
  tool('files.zip', 'compressFolder', 'Packs a folder into a ZIP archive.', ['path'], 'Files'),
  tool('hub.issue', 'createIssue', 'Opens an issue in a GitHub repository.', ['title', 'body'], 'Development'),
  tool('shop.buy', 'purchase_article', 'Purchases an article in the shop.', ['article'], 'Shop'),
  tool('cn.weather', 'query_tianqi', '查询指定城市的天气预报', ['城市'], '天气'),
  tool('ru.mail', 'otpravit', 'Отправляет письмо адресату', [], 'Почта'),
]

test.each([
  ['send an email', 'mail.send'],
  ['sending emails', 'mail.send'],
  ['read my inbox', 'mail.read'],
  ['get_weather_forecast', 'weather.week'],
  ['GETWEATHERFORECAST for the next days', 'weather.week'],
  ['open a github issue', 'hub.issue'],
  ['make a zip archive of this directory', 'files.zip'],
  ['上海天气预报', 'cn.weather'],
  ['天', 'cn.weather'],
  ['отправить ПИСЬМО', 'ru.mail'],
  ['ｓｅｎｄ　ｅｍａｉｌ', 'mail.send'],
])('%s finds %s first', (query, id) => {
  expect(indexOf(TOOLS).search(query, { limit: 3 })[0]?.id).toBe(id)
})

test('each sentence of a long request brings its own tool', () => {
  const request = `I am planning a trip and want to be prepared. What is the forecast for Rome for the next seven days?
    Then open an issue in the repository with the title "Trip weather email". Finally pack the folder into an archive.`
  const ids = indexOf(TOOLS)
    .search(request, { limit: 3 })
    .map(hit => hit.id)
  expect(ids.toSorted()).toEqual(['files.zip', 'hub.issue', 'weather.week'])
})

test('a tool that answers one sentence wins over one that has a word of each', () => {
  const index = indexOf([
    tool('zip', 'pack_folder', 'Makes an archive.', [], ''),
    tool('words', 'guide', 'Journey, hotel, museum, folder.', [], ''),
  ])
  const request = 'I begin a journey. The hotel is booked. A museum is near. Pack the folder.'
  expect(index.search(request, { limit: 1 })[0]?.id).toBe('zip')
})

test('what stands in quotes counts less than what is asked', () => {
  const [first] = indexOf(TOOLS).search('send a message that says "forecast current weather"', { limit: 1 })
  expect(first?.id).toBe('mail.send')
})

test('the better of two alike tools is told by likeness of meaning', () => {
  const alike = [
    tool('a', 'open_first', 'Opens the physician list.', [], ''),
    tool('b', 'open_second', 'Opens the carpet list.', [], ''),
  ]
  const hits = indexOf(alike).search('open the doctor list', { limit: 2 })
  expect(hits.map(hit => hit.id)).toEqual(['a', 'b'])
  const turned = indexOf(alike).search('open the rug list', { limit: 2 })
  expect(turned.map(hit => hit.id)).toEqual(['b', 'a'])
})

test('confidence is between 0 and 1, never rises down the list, and is higher for a clear match', () => {
  const index = indexOf(TOOLS)
  const clear = index.search('send email', { limit: 9 })
  for (const [i, hit] of clear.entries()) {
    expect(hit.confidence).toBeGreaterThan(0)
    expect(hit.confidence).toBeLessThanOrEqual(clear[i - 1]?.confidence ?? 1)
  }
  const vague = index.search('weather', { limit: 9 })
  expect(clear[0]!.confidence).toBeGreaterThan(vague[0]!.confidence)
})

test('a hidden tool changes nothing about the others, not even their numbers', () => {
  const hidden = new Set(['weather.now', 'mail.send'])
  const visible = indexOf(TOOLS.filter(({ id }) => !hidden.has(id)))
  const all = indexOf(TOOLS)
  for (const query of ['current weather', 'send email', 'get_current_weather', 'city', 'messages of a mailbox']) {
    const hits = all.search(query, { limit: 9, accept: id => !hidden.has(id) })
    expect(hits).toEqual(visible.search(query, { limit: 9 }))
    expect(hits.some(hit => hidden.has(hit.id))).toBe(false)
  }
})

test.each(['', '   ', '.*+?^${}()|[]\\', '"', "'''''", '\u0000\ud800', '🙂', '---', 'the of and'])(
  'the query %j has a sane answer',
  query => {
    expect(indexOf(TOOLS).search(query, { limit: 5 })).toEqual([])
  },
)

test.each([
  ['words', 'send mail weather folder '.repeat(4500)],
  ['distinct words', Array.from({ length: 12_000 }, (_, i) => `word${i}`).join(' ')],
  ['capitals', 'A'.repeat(100_000)],
  ['camel humps', 'aB'.repeat(50_000)],
  ['quotes', `"'`.repeat(50_000)],
  ['sentences', 'send. '.repeat(17_000)],
  ['accents', 'é\u0301'.repeat(50_000)],
  ['Han', '天气预报'.repeat(25_000)],
])('100 KB of %s take bounded time', (_, query) => {
  const index = indexOf(TOOLS)
  const start = process.cpuUsage()
  index.search(query, { limit: 5 })
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
})

test('a huge description costs little and does not drown the others', () => {
  const flood = tool('flood', 'flood', 'send email weather forecast archive '.repeat(20_000), [], '')
  const index = createSearchIndex()
  const start = process.cpuUsage()
  index.update({ put: [...TOOLS, flood], remove: [] })
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000)
  expect(index.search('send email', { limit: 1 })[0]?.id).toBe('mail.send')
})

test('a limit of 0 or less finds nothing', () => {
  expect(indexOf(TOOLS).search('send email', { limit: 0 })).toEqual([])
  expect(indexOf(TOOLS).search('send email', { limit: -3 })).toEqual([])
})

function indexOf(documents: readonly SearchDocument[]) {
  const index = createSearchIndex()
  index.update({ put: documents, remove: [] })
  return index
}

function tool(id: string, name: string, description: string, parameters: readonly string[], category: string) {
  return { id, name, description, parameters: parameters.map(parameter => ({ name: parameter })), category }
}
