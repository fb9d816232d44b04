import type { OpenedImage } from '../../../core/payments/accounts/views.ts'
import { bytes } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { shown } from '../shown.ts'

/** Another logo has another address. */
const FOR_GOOD = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Where `path_logo` leads: anybody may see a logo. */
export const logoRows: readonly AnyRow[] = [
  route({
    name: 'logo.show',
    area: 'Conta',
    summary: 'Mostra o logotipo de uma conta',
    methods: ['GET'],
    paths: ['/storage/logos/:id', '/api/storage/logos/:id'],
    dialect: 'envelope',
    auth: 'public',
    record: ({ core, request }) => core.accounts.openLogo(request.params.id ?? ''),
    input: {},
    run: ({ record }) => shown(record),
    reply: bytes<OpenedImage>({
      type: ({ contentType }) => contentType,
      docType: 'image/*',
      headers: FOR_GOOD,
      chunks: ({ chunks }) => chunks,
    }),
    errors: { 'logo.unknown': {} },
    example: { given: 'logo', request: { params: { id: '3f2b8c1e-0d4a-4b6c-9e8f-7a6b5c4d3e2f' } }, reply: 'bytes' },
  }),
]
