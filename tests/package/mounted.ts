import type { Program } from './programs.ts'

/** The payments API in three servers: `node:http` alone, beside another handler, and in Koa. */
export const mounted: Program = {
  name: 'the packed API',
  text: `
import { once } from 'node:events'
import { createServer } from 'node:http'
import Koa from 'koa'
import { payments, paymentsCollections } from 'portico'
import { memoryPorts, memoryStore } from 'portico/adapters/memory'
import { fakeBankCollections, fakeBankPart } from 'portico/fake-bank'
import { paymentsApi, pinoLog, serverPart } from 'portico/http'

const store = memoryStore([...paymentsCollections, ...fakeBankCollections, ...serverPart.collections])
const pay = payments(memoryPorts({ store }))
const api = paymentsApi(pay, { log: pinoLog('payments', 'silent'), parts: [fakeBankPart(pay.bank)] })
void api.worker.run()

const seen = []
const koa = new Koa()
koa.use(async (ctx, next) => {
  await next()
  seen.push(ctx.res.statusCode)
})
koa.use(api.middleware)
koa.use((ctx) => {
  ctx.body = 'theirs'
})
const beside = (req, res) => api.handle(req, res, () => res.end('theirs'))

const servers = []
for (const [name, handler] of Object.entries({ alone: api.handle, beside, koa: koa.callback() })) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const ask = async (path, body) => {
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const answer = await fetch('http://127.0.0.1:' + server.address().port + path, init)
    return [answer.status, await answer.text()]
  }
  const secret = { password: 'segredo-123', password_confirmation: 'segredo-123' }
  const [status, text] = await ask('/v1/auth/register', { name: 'Ana', email: name + '@example.com', ...secret })
  const [again] = await ask('/v1/auth/register?twice', { name: 'Ana', email: name + '@example.com', ...secret })
  const [health] = await ask('/health')
  const [docs] = await ask('/docs')
  const [other, words] = await ask('/somewhere/else')
  console.log(name, status, JSON.parse(text).data.user.email, again, health, docs, other, words.slice(0, 6))
}
await api.close(Promise.all(servers.map((server) => new Promise((done) => server.close(done)))))
console.log(seen.join())
`,
  prints: `alone 201 alone@example.com 422 200 200 404 {"code
beside 201 beside@example.com 422 200 200 200 theirs
koa 201 koa@example.com 422 200 200 200 theirs
201,422,200,200,200
`,
}
