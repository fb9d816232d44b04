import { required } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { inQuery } from '../../../core/kernel/input/query.ts'
import { output, view } from '../../../core/kernel/input/view.ts'
import type { Feed } from '../../../core/real-estate/feed.ts'
import { json } from '../../http/replies/json-reply.ts'
import { revalidatedText } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { EXAMPLE_COMPANY } from '../examples.ts'

const about = { area: 'Imóveis', dialect: 'estate' } as const
const token = `${EXAMPLE_COMPANY}.tq3V8sKc0mZr8TgW5xYc3LdP1nBq42uJhE7aQ9oX`
const MAX_TOKEN = 100

const linkView = view(
  'FeedLink',
  { url: output.text({ about: 'O endereço privado que se dá aos portais; só aqui ele é mostrado' }) },
  (of: { readonly url: string }) => of,
)

/** Source: reference/real-estate.md, 3.12. */
export const feedRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'properties.feed-token',
    summary: 'Cria o endereço privado do feed de imóveis para portais; o anterior deixa de valer',
    methods: ['POST'],
    paths: ['/api/properties/feed-token'],
    auth: 'member',
    // An answer that is kept for its key would keep the token.
    key: false,
    permission: 'properties:feed',
    input: {},
    run: ({ core, actor }) => core.feed.createLink(actor),
    reply: json({ status: 201, view: linkView }),
    example: {
      given: 'admin',
      request: { body: {} },
      reply: { url: `https://imoveis.example.com/api/properties/feed.xml?token=${token}` },
    },
  }),
  route({
    ...about,
    name: 'properties.feed',
    summary: 'Os imóveis disponíveis da imobiliária, em XML VRSync, para portais',
    methods: ['GET'],
    paths: ['/api/properties/feed.xml'],
    auth: 'public',
    input: { query: input(null, { token: required(inQuery.text({ max: MAX_TOKEN, about: 'O que abre o feed' })) }) },
    run: ({ core }, { query }) => core.feed.read(query.token),
    reply: revalidatedText<Feed>({
      type: 'application/xml; charset=utf-8',
      tag: ({ tag }) => tag,
      view: ({ xml }) => xml,
    }),
    errors: { 'feed.unknown': {} },
    example: { given: 'feed', request: { query: { token } }, reply: '<ListingDataFeed>' },
  }),
]
