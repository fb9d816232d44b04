import test from 'ava'
import { proxyWarning } from '../../../../apps/http/middleware.ts'
import type { Context } from '../../../../apps/http/request.ts'
import { serveToy } from '../toy-api.ts'

/** Who calls, and whether a proxy says for whom. */
const from = (remoteAddress: string | undefined, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { req: { headers, socket: { remoteAddress } } } as unknown as Context
}

const warned = (trustProxy: boolean, ...calls: readonly Context[]): readonly string[] => {
  const lines: string[] = []
  const warn = proxyWarning({ warn: (line) => void lines.push(line) }, trustProxy)
  for (const call of calls) warn(call)
  return lines
}

test('a private peer that forwards for others is told of once', (t) => {
  for (const peer of ['10.0.0.5', '127.0.0.1', '172.16.3.4', '192.168.1.1', '::1', 'fd00::7', '::ffff:10.0.0.5']) {
    t.deepEqual(warned(false, from(peer), from(peer, '203.0.113.7'), from(peer, '203.0.113.8'), from('::1', 'x')), [
      `TRUST_PROXY: got false, and ${peer} sends X-Forwarded-For: all who call through it share one address`,
    ])
  }
  t.is(warned(false, from(undefined, '203.0.113.7')).length, 1, 'a socket of this machine')
})

test('who forwards for nobody is not, nor a stranger who makes the header up, nor a proxy that is trusted', (t) => {
  t.deepEqual(warned(false, from('10.0.0.5'), from('1.1.1.1', '10.0.0.5'), from('2606:4700::1111', '::1')), [])
  t.deepEqual(warned(true, from('10.0.0.5', '203.0.113.7')), [])
})

test('over HTTP it is one line in the log', async (t) => {
  const toy = await serveToy()
  t.teardown(toy.stop)
  for (let asked = 0; asked < 3; asked += 1) await toy.ask('/', { headers: { 'X-Forwarded-For': '203.0.113.9' } })
  t.is(toy.log.warnings.length, 1)
})
