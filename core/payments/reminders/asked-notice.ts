import { issue } from '../../failure.ts'
import { map } from '../../fp.ts'
import { type Field, type FieldOptions, field, type InputCode, list, nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { rule } from '../../kernel/input/rules.ts'
import { id, oneOf } from '../../kernel/input/scalars.ts'
import type { Decoded } from '../../kernel/input/table.ts'
import { text } from '../../kernel/input/texts.ts'
import { CHANNELS } from '../accounts/settings/settings-fields.ts'

/** Charges of one call: by three channels each, nearly what one commit may change. */
export const MAX_NOTIFIED = 300

const MAX_MESSAGE = 1_000
const MAX_NAME = 50

const name = text({ max: MAX_NAME })
const number = id()

/** The id of a charge, as a number or a text, or its code. */
const chargeName = (about: FieldOptions = {}): Field<string, string | number> =>
  field<string, string | number, InputCode>(
    {
      name: 'charge',
      schema: { anyOf: [number.schema, name.schema] },
      is: name.is,
      read: (sent) => (typeof sent === 'number' ? map(String)(number.read(sent)) : name.read(sent)),
    },
    about,
  )

/** How payers are told. */
export const noticeFields = {
  channels: list(oneOf(CHANNELS), { min: 1, max: CHANNELS.length, about: 'Por onde o aviso é enviado' }),
  message: nullIfAbsent(text({ max: MAX_MESSAGE, about: 'Texto do aviso; nulo para o texto padrão' })),
}

const named = {
  ids: nullIfAbsent(list(chargeName(), { max: MAX_NOTIFIED, about: 'Ids ou códigos das cobranças' })),
  id: nullIfAbsent(chargeName({ about: 'Id ou código de uma cobrança, em vez de `ids`' })),
}

/** None at all is no wrong field: that is told otherwise. */
const notBoth = rule<Decoded<typeof named>, keyof typeof named, 'only-one'>(['ids', 'id'], ({ ids, id: one }) =>
  ids !== null && one !== null ? [issue('id', 'only-one', { other: 'ids' })] : [],
)

/** Source: 02-billing.md, Charges: notify. */
export const askedNotice = input('Notice', { ...named, ...noticeFields }, notBoth)

export type NoticeGiven = InputOf<typeof askedNotice>
export type AskedNotice = DecodedOf<typeof askedNotice>
