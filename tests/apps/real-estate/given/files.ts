import { type Fixture, post } from './basics.ts'

const file: Fixture = async (api) => {
  const by = await api.agency()
  const { id } = await post(api, by, '/api/files', {
    fileName: 'planta.pdf',
    storagePath: 'floor-plans/planta.pdf',
    url: 'https://storage.example.com/floor-plans/planta.pdf',
    contentType: 'application/pdf',
    sizeBytes: 1_024,
  })
  return { token: by.token, params: { id } }
}

export const files: Readonly<Record<string, Fixture>> = { file }
