import { createHmac } from 'node:crypto'
import Router from '@koa/router'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import { request } from 'undici'
import { openDatabase } from '../../adapters/sqlite/connection.ts'

// The floor of the HTTP figures: the same framework, router, body parser, driver and durability, with one statement a
// request (three for a withdrawal). Runs in its own process: bare-server.ts FILE ADDED, where ADDED is the JSON of the
// fields that a document has besides the sent ones.
const [file = '', added = '{}'] = process.argv.slice(2)
const PAGE = 15
const POSTS_AT_ONCE = 4
/** The commits of a withdrawal: the count of PIN tries, the reserve, the outcome. */
const COMMITS = 3
const more: object = JSON.parse(added)

const database = await openDatabase(file)
for (const pragma of ['journal_mode=WAL', 'synchronous=FULL']) database.prepare(`PRAGMA ${pragma}`).get()
database.prepare('CREATE TABLE IF NOT EXISTS documents (id INTEGER PRIMARY KEY, doc TEXT NOT NULL)').run()
const put = database.prepare('INSERT INTO documents VALUES (?, ?)')
const find = database.prepare('SELECT doc FROM documents WHERE id = ?')
const page = database.prepare(`SELECT doc FROM documents ORDER BY id DESC LIMIT ${PAGE}`)
let total = Number(database.prepare('SELECT count(*) AS n FROM documents').get()?.n)

const keep = (sent: object): object => {
  total += 1
  const document = { id: total, ...sent, ...more }
  put.run(total, JSON.stringify(document))
  return document
}

const deliver = async (url: string): Promise<void> => {
  const body = JSON.stringify(more)
  const signature = createHmac('sha256', 'secret').update(body).digest('base64')
  const headers = { 'content-type': 'application/json', signature }
  const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body })
  await answer.dump()
  keep({ url, statusCode })
}

const router = new Router()
router.post('/documents', koaBody(), (ctx) => {
  ctx.body = keep(Object(ctx.request.body))
})
router.post('/commits', koaBody(), (ctx) => {
  for (let commit = 0; commit < COMMITS; commit += 1) ctx.body = keep(Object(ctx.request.body))
})
router.get('/documents/:id', (ctx) => {
  ctx.body = JSON.parse(String(find.get(Number(ctx.params.id))?.doc))
})
router.get('/documents', (ctx) => {
  ctx.body = { data: page.all().map(({ doc }) => JSON.parse(String(doc))), total }
})
router.post('/deliveries', koaBody(), async (ctx) => {
  const { url, count } = Object(ctx.request.body)
  let begun = 0
  const lane = async (): Promise<void> => {
    while (begun < count) {
      begun += 1
      await deliver(url)
    }
  }
  await Promise.all(Array.from({ length: POSTS_AT_ONCE }, lane))
  ctx.body = { count }
})

const app = new Koa()
app.use(router.routes())
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
