import { file, fileView, registeredFileView } from '../../core/real-estate/files.ts'
import { json } from '../http/replies/json-reply.ts'
import { empty } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { AGENCY_CRUD, crud, route } from './api.ts'
import { EXAMPLE_MOMENT, EXAMPLE_USER, exampleId } from './examples.ts'

const BASE = '/api/files'
const common = { area: 'Arquivos', dialect: 'estate', auth: 'member' } as const

const sent = {
  fileName: 'contrato-assinado.pdf',
  storagePath: 'contracts/2030/contrato-assinado.pdf',
  url: 'https://storage.example.com/contracts/2030/contrato-assinado.pdf',
  contentType: 'application/pdf',
  sizeBytes: 204_800,
} as const
const id = exampleId(80)
const { storagePath: _, ...described } = sent
const registered = { id, ...described, createdAt: EXAMPLE_MOMENT }

export const fileRows: readonly AnyRow[] = [
  ...crud({
    ...AGENCY_CRUD,
    module: 'files',
    // The owner is no filter: users who see only their own files always get those.
    resource: { ...file, spec: { ...file.spec, filters: { contentType: 'tally' } } },
    view: fileView,
    area: common.area,
    paths: [BASE],
    permissions: { read: 'files:read', write: 'files:write' },
    noun: { one: 'arquivo', many: 'arquivos', gender: 'm' },
    words: { show: { summary: 'Mostra o registro de um arquivo' } },
    only: ['list', 'show'],
    example: { sample: sent, more: { id, uploadedBy: EXAMPLE_USER } },
  }),
  route({
    ...common,
    name: 'files.create',
    summary: 'Registra um arquivo que já está no armazenamento do provedor',
    methods: ['POST'],
    paths: [BASE],
    permission: 'files:write',
    input: { body: file.createInput },
    run: ({ core, actor }, { body }) => core.files.create(actor, body),
    reply: json({ status: 201, view: registeredFileView }),
    example: { given: 'admin', request: { body: sent }, reply: registered },
  }),
  route({
    ...common,
    name: 'files.remove',
    summary: 'Exclui o registro de um arquivo; o objeto armazenado fica onde está',
    methods: ['DELETE'],
    paths: [`${BASE}/:id`],
    permission: 'files:write',
    record: ({ core, actor, request }) => core.files.read(actor, request.params.id ?? ''),
    run: ({ core, actor, record }) => core.files.remove(actor, record.id),
    reply: empty(),
    errors: { 'file.unknown': {}, 'file.not-own': {} },
    example: { given: 'file', request: { params: { id } }, reply: null },
  }),
]
