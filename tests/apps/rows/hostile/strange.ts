const MARK = '\u0301'

/** Texts that are difficult to store, show or compare. */
export const TEXTS: Readonly<Record<string, string>> = {
  NUL: 'a\0b',
  'high surrogate alone': 'a\ud83d',
  'low surrogate alone': '\udc00b',
  'surrogates the wrong way round': '\udc00\ud83d',
  bell: 'a\u0007b',
  'next line of C1': 'a\u0085b',
  delete: 'a\u007fb',
  'ten thousand marks': `a${MARK.repeat(10_000)}`,
  'thirty-one marks': `a${MARK.repeat(31)}`,
  'thirty marks': `a\u0323${'\u0307'.repeat(29)}`,
  'right-to-left override': 'abc\u202edef',
  'composed e-acute': 'Jos\u00e9',
  'decomposed e-acute': 'Jose\u0301',
  'marks out of order': 'a\u0301\u0323b',
  'emoji family': '👨‍👩‍👧 🎈',
  'emoji beyond the BMP': '𝓐𝓑',
  'full-width document': '１２３.４５６.７８９-０９',
  'case that folds': 'İstanbul ıßẞ ΣΑΣ',
  ligature: 'ﬁm',
  'zero width': 'a\u200bb\u200dc\u2060d',
  'byte order mark inside': 'a\ufeffb',
  'line separator': 'a\u2028b\u2029c',
  'line ends': 'a\r\nb\tc',
  noncharacter: 'a\uffffb',
  'private use': 'a\ue000b',
  hangul: '\u1100\u1161\u11a8',
  SQL: "' OR 1=1--",
  quotes: `"'\\`,
  patterns: '%_.*^(a+)+$',
  operator: '{"$gt":""}',
  template: '{{7*7}}{reason}%{x}',
  markup: '<script>alert(1)</script>&amp;',
  path: '../../etc/passwd%00',
  formula: '=HYPERLINK("http://a")',
}

/** Characters that no stored text may contain. */
export const UNSTORABLE = /\0|\p{Cs}|\p{M}{31}/u

/** Numbers in a body: too large to be exact, with too many decimals, or malformed. */
export const NUMBERS: readonly string[] = [
  ...['NaN', 'Infinity', '-Infinity', '1e309', '-1e309', '-0', '0', '-1', '1e-7', '1e1', '1.5E+1', '1e21'],
  ...['0.005', '0.01', '1.005', '150.123', '10.10', '0.1000000000000000055511151231257827'],
  ...[`0.${'0'.repeat(400)}1`, `1${'0'.repeat(400)}`, `12.50${'0'.repeat(400)}`],
  ...['9007199254740991', '9007199254740993', '9999999999.99', '9999999999.995', '10000000000'],
  ...['99999999999999999999999', '0x10', '010', '+1', '.5', '5.', '1_000'],
  ...['"1,50"', '"1.50"', '"0x10"', '""', '"١٢"', 'true', '[1]'],
]

const UNITS = 10_000

/** Long texts that are slow for some patterns and normalizations. */
export const longTexts = (times: number): readonly string[] => {
  const length = UNITS * times
  return [
    'a'.repeat(length),
    ' '.repeat(length),
    `${'a.'.repeat(length / 2)}@${'a-'.repeat(length / 2)}`,
    `http://${'a.'.repeat(length / 2)}/${'../'.repeat(length / 2)}`,
    '1'.repeat(length),
    'e\u0301'.repeat(length / 2),
    `a${'\u0301\u0316'.repeat(length / 2)}`,
    '1,'.repeat(length / 2),
  ]
}
