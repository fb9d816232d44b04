/** With what the issue of a charge that is paid by a title can fail, whoever asks for it. */
export const TITLE_ERRORS = {
  'account.unknown': {},
  'organization.inactive': {},
  'charge.unknown': {},
  'bank.unsupported': {},
  'bank.unavailable': {},
  'bank.refused': {},
} as const

/** The same of one that may be paid by card. */
export const ISSUE_ERRORS = {
  ...TITLE_ERRORS,
  'card.unsupported': {},
  'card.declined': {},
  'card.throttled': {},
  'card.waiting': {},
} as const
