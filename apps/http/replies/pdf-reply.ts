import { type AnyView, inQuery } from '../../../core/kernel/input/mod.ts'
import type { HttpRequest } from '../request.ts'
import { json } from './json-reply.ts'
import { type Bytes, bytes, fileOr } from './raw-reply.ts'
import type { StreamReply } from './reply.ts'

const PDF = 'application/pdf'
const VARY = { Vary: 'Accept' }

interface Drawn {
  readonly pdf: Uint8Array
}

/** A PDF that is drawn before it is sent. */
export const pdfFile = <V extends Drawn>(spec: Omit<Bytes<V>, 'type' | 'chunks'>): StreamReply<V> =>
  bytes<V>({
    ...spec,
    type: PDF,
    async *chunks({ pdf }) {
      yield pdf
    },
  })

/** The query field by which a caller chooses between JSON and PDF. */
export const formatField = inQuery.oneOf(['json', 'pdf'], {
  about: 'Em que formato; o que o cabeçalho Accept pede, se ausente',
})

/** Reports whether a request asks for a PDF: by `formatField`, else by its `Accept` header. */
export const wantsPdf = (request: HttpRequest, format: 'json' | 'pdf' | undefined): boolean =>
  format === undefined ? prefersPdf(request.header('accept')) : format === 'pdf'

interface JsonOrPdf<D, P> {
  readonly view: AnyView<D>
  readonly message?: string
  readonly fileName: (drawn: P) => string
}

/** JSON, or a PDF if the use case drew one. */
export const jsonOrPdf = <D extends object, P extends Drawn>({ fileName, ...spec }: JsonOrPdf<D, P>) =>
  fileOr<P, D>(
    (found): found is P => 'pdf' in found,
    pdfFile<P>({ fileName, headers: VARY }),
    json({ ...spec, headers: () => VARY }),
    [PDF],
  )

/** Returns the weight of a media type in an `Accept` header, from 0 to 1. Wildcards do not count. */
const weightOf = (accept: string, type: string): number => {
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    if (name !== type) continue
    const q = parameters.find((each) => each.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2)) || 0
  }
  return 0
}

/** Reports whether an `Accept` header names PDF with at least the weight of JSON. */
export const prefersPdf = (accept: string | null): boolean => {
  const pdf = weightOf(accept ?? '', PDF)
  return pdf > 0 && pdf >= weightOf(accept ?? '', 'application/json')
}
