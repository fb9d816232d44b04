import test from 'ava'
import { pinoLog } from '../../../../apps/http/telemetry.ts'

const keeping = () => {
  const lines: Readonly<Record<string, unknown>>[] = []
  return { lines, to: { write: (line: string) => void lines.push(JSON.parse(line)) } }
}

test('a request is one JSON line', (t) => {
  const { lines, to } = keeping()
  const line = { id: 'r', method: 'GET', route: 'notes.list', status: 200, ms: 1.5, address: '::1' }
  pinoLog('toy', 'info', to).request(line)
  t.is(lines.length, 1)
  t.like(lines[0], { level: 30, name: 'toy', msg: 'request', ...line })
})

test('a failure has its stack and code, and nothing that a driver hung on it', (t) => {
  const { lines, to } = keeping()
  const error = Object.assign(new TypeError('broken'), { code: 11000, keyValue: { pin: 'segredo' } })
  pinoLog('toy', 'info', to).failure({ id: 'r', route: null }, error)
  t.like(lines[0], { level: 50, id: 'r', error: { name: 'TypeError', message: 'broken', code: '11000' } })
  t.regex(JSON.stringify(lines[0]), /log\.test\.ts/)
  t.notRegex(JSON.stringify(lines[0]), /segredo/)
  pinoLog('toy', 'info', to).failure({ id: null, route: null }, 'a text')
  t.like(lines[1], { error: { message: 'a text' } })
})

test('a warning has its facts beside it', (t) => {
  const { lines, to } = keeping()
  const log = pinoLog('toy', 'info', to)
  log.warn('a payment notice was refused', { code: 'fields', fields: 'valueCents' })
  log.warn('alone')
  t.like(lines[0], { level: 40, msg: 'a payment notice was refused', code: 'fields', fields: 'valueCents' })
  t.like(lines[1], { level: 40, msg: 'alone' })
})

test('the level is a setting', (t) => {
  const { lines, to } = keeping()
  const log = pinoLog('toy', 'warn', to)
  log.info('no')
  log.warn('yes')
  t.deepEqual(
    lines.map(({ msg }) => msg),
    ['yes'],
  )
})
