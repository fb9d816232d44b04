import test from 'ava'
import { httpSender } from '../../../adapters/webhooks/http-sender.ts'
import { guidesOf } from '../../../apps/payments/catalogue.ts'
import { freePort, hasProgram, runGuides, startReceiver, temporaryFolder, unknownNames } from '../guides.ts'
import { openEstateApi } from '../real-estate/test-api.ts'
import { openTestApi } from './test-api.ts'

test('runs the commands of the guides in order with the shown replies', async (t) => {
  if (!(await hasProgram(t, 'curl'))) return
  const webhooks = httpSender({ allowPrivate: true })
  t.teardown(() => webhooks.close())
  // The receiver compares the time of a webhook with the real clock.
  const api = await openTestApi(t, { now: new Date().toISOString(), instead: () => ({ webhooks }) })
  const port = await freePort()
  const guides = guidesOf(api.url).replaceAll('8080', `${port}`)
  let isReceiving = false
  await runGuides(t, {
    guides,
    cwd: await temporaryFolder(t),
    before: async (text, shell) => {
      if (!isReceiving && text.includes(`${port}`)) {
        isReceiving = true
        const secret = await shell('printf "$WEBHOOK_SECRET"')
        await startReceiver(t, { guides, language: 'js', port, secret })
      }
      await api.drain()
    },
  })
})

test('starts the document with the guides for its server, which name only existing routes, fields and codes', async (t) => {
  const { body } = await (await openTestApi(t)).ask('GET', '/openapi.json')
  const guides = guidesOf(body.servers[1].url)
  t.is(body.info.description, guides)
  t.deepEqual(unknownNames(guides, body), [])
  t.deepEqual(unknownNames('`GET /invoices/{ide}` `charge.payed` `X-Acount-Id` `meta.totais`', body).length, 4)
})

/** The usual form of a list. */
const USUAL = { meta: ['current_page', 'last_page', 'per_page', 'total'], max: 500, default: 15 }

test('names each list with an unusual form in the guide to pages', async (t) => {
  const { body } = await (await openTestApi(t)).ask('GET', '/openapi.json')
  const [, guide = ''] = /^# Paginação\n([\s\S]*?)^# /m.exec(body.info.description) ?? []
  const schemaIn = (content: object): object => Object.values(content)[0].example ?? {}
  const unusual = Object.entries<Record<string, Operation>>(body.paths).filter(([path, { get }]) => {
    const query = (get?.parameters ?? []).filter(({ name }) => /^per_?page$/i.test(name))
    const [size] = query
    if (!get || !size || path.startsWith('/api/')) return false
    const { meta = {} } = schemaIn(get.responses['200'].content) as { meta?: object }
    const { maximum, default: usual } = size.schema
    return (
      size.name !== 'per_page' ||
      maximum !== USUAL.max ||
      usual !== USUAL.default ||
      Object.keys(meta).sort().join() !== USUAL.meta.join()
    )
  })
  t.true(unusual.length > 5)
  t.deepEqual(
    unusual.map(([path]) => path).filter((path) => !guide.includes(`\`${path}\``)),
    [],
  )
})

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly schema: Readonly<Record<string, unknown>> }[]
  readonly responses: { readonly 200: { readonly content: object } }
}

test('links documentation and panel at the root, as a page for browsers and as text', async (t) => {
  const [payments, estate] = [await openTestApi(t), await openEstateApi(t)]
  const page = { headers: { accept: 'text/html,*/*;q=0.8' } }
  t.is((await payments.ask('GET', '/')).text, 'ok')
  for (const { text } of [await payments.ask('GET', '/', page), await estate.ask('GET', '/', page)])
    for (const path of ['docs', 'panel']) t.true(text.includes(`<a href="${path}">/${path}</a>`))
  const plain = await estate.ask('GET', '/')
  t.regex(plain.text, /^\/docs: .*\n\/panel: .*\n$/)
  t.regex(plain.headers.get('link') ?? '', /<docs>; rel="service-doc"/)
})

test('lists every error status of issuing a charge in the guide to errors', async (t) => {
  const { body } = await (await openTestApi(t)).ask('GET', '/openapi.json')
  const listed = [...body.info.description.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell]) => cell.split(', '))
  const refusals = Object.keys(body.paths['/invoices'].post.responses).filter((status) => /^4|^503/.test(status))
  t.deepEqual(
    refusals.filter((status) => !listed.includes(status)),
    [],
  )
})
