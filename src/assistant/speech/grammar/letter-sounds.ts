/**
 * How English letters mostly sound, in the phones of the CMU dictionary: for names that no dictionary has. `_` stands for the
 * end of a word, `^` for its beginning, `~` for a consonant that follows, and `&` for one of e, i, y. First match wins.
 */
const RULES: readonly (readonly [letters: string, after: string, phones: string])[] = [
  ['^kn', '', 'N'], ['^wr', '', 'R'], ['^ps', '', 'S'], ['^x', '', 'Z'], ['^rh', '', 'R'], ['^gn', '', 'N'],
  ['tion', '', 'SH AH N'], ['sion', '', 'ZH AH N'], ['ture', '', 'CH ER'], ['cious', '', 'SH AH S'], ['tious', '', 'SH AH S'],
  ['ough', '', 'AO'], ['augh', '', 'AO'], ['eigh', '', 'EY'], ['igh', '', 'AY'], ['tch', '', 'CH'], ['sch', '', 'SH'], ['dge', '', 'JH'],
  ['air', '', 'EH R'], ['ear', '', 'IH R'], ['eer', '', 'IH R'], ['our', '', 'AO R'], ['oor', '', 'AO R'], ['are', '_', 'EH R'], ['ire', '', 'AY ER'], ['ore', '_', 'AO R'], ['ure', '', 'Y UH R'],
  ['age', '_', 'IH JH'], ['ive', '_', 'IH V'], ['ing', '_', 'IH NG'], ['ang', '_', 'AE NG'], ['ong', '_', 'AO NG'], ['ey', '_', 'IY'], ['ies', '_', 'IY Z'], ['ied', '_', 'IY D'], ['le', '_', 'AH L'], ['que', '_', 'K'],
  ['ch', '', 'CH'], ['ck', '', 'K'], ['gh', '', 'G'], ['ph', '', 'F'], ['sh', '', 'SH'], ['th', '', 'TH'], ['wh', '', 'W'], ['ng', '', 'NG'], ['nk', '', 'NG K'], ['qu', '', 'K W'], ['sc', '&', 'S'], ['kh', '', 'K'], ['zh', '', 'ZH'], ['cc', '&', 'K S'], ['mb', '_', 'M'],
  ['ai', '', 'EY'], ['ay', '', 'EY'], ['au', '', 'AO'], ['aw', '', 'AO'], ['ar', '', 'AA R'], ['al', 'k', 'AO'],
  ['ea', '', 'IY'], ['ee', '', 'IY'], ['ei', '', 'IY'], ['eu', '', 'UW'], ['ew', '', 'UW'], ['er', '', 'ER'], ['es', '_', 'Z'],
  ['ia', '', 'IY AH'], ['ie', '', 'IY'], ['io', '', 'IY OW'], ['ir', '', 'ER'],
  ['oa', '', 'OW'], ['oe', '', 'OW'], ['oi', '', 'OY'], ['oo', '', 'UW'], ['ou', '', 'AW'], ['ow', '', 'OW'], ['oy', '', 'OY'], ['or', '', 'AO R'],
  ['ue', '', 'UW'], ['ui', '', 'UW'], ['ur', '', 'ER'], ['yr', '', 'ER'],
  ['a', '~e_', 'EY'], ['e', '~e_', 'IY'], ['i', '~e_', 'AY'], ['o', '~e_', 'OW'], ['u', '~e_', 'UW'], ['y', '~e_', 'AY'],
  ['a', '_', 'AH'], ['e', '_', ''], ['i', '_', 'IY'], ['o', '_', 'OW'], ['u', '_', 'UW'], ['^y', '', 'Y'], ['y', '_', 'IY'],
  ['a', '', 'AE'], ['e', '', 'EH'], ['i', '', 'IH'], ['o', '', 'AA'], ['u', '', 'AH'], ['y', '', 'IH'],
  ['c', '&', 'S'], ['g', '&', 'JH'],
  ['b', '', 'B'], ['c', '', 'K'], ['d', '', 'D'], ['f', '', 'F'], ['g', '', 'G'], ['h', '', 'HH'], ['j', '', 'JH'], ['k', '', 'K'], ['l', '', 'L'], ['m', '', 'M'], ['n', '', 'N'],
  ['p', '', 'P'], ['q', '', 'K'], ['r', '', 'R'], ['s', '', 'S'], ['t', '', 'T'], ['v', '', 'V'], ['w', '', 'W'], ['x', '', 'K S'], ['z', '', 'Z'],
];

const CONTEXT: Readonly<Record<string, string>> = { '_': '$', '~': '[^aeiouy]', '&': '[eiy]' };

const MATCHERS = RULES.map(([letters, after, phones]) => {
  const start = letters.startsWith('^') ? '(?<![a-z])' : '';
  const follows = [...after].map((sign) => CONTEXT[sign] ?? sign).join('');
  return { matcher: new RegExp(`${start}${letters.replace('^', '')}(?=${follows})`, 'y'), length: letters.replace('^', '').length, phones };
});

/** The phones of a word of letters from a to z. Double consonants sound once. */
export function letterSounds(word: string): string {
  const letters = word.toLowerCase().replace(/([^aeiou])\1+/g, '$1');
  const phones: string[] = [];
  for (let at = 0; at < letters.length; ) {
    const rule = MATCHERS.find(({ matcher }) => {
      matcher.lastIndex = at;
      return matcher.test(letters);
    });
    if (rule !== undefined && rule.phones !== '') phones.push(rule.phones);
    at += rule?.length ?? 1;
  }
  return phones.join(' ');
}

/** Names of letters. */
const SPELLING: Readonly<Record<string, string>> = {
  a: 'EY', b: 'B IY', c: 'S IY', d: 'D IY', e: 'IY', f: 'EH F', g: 'JH IY', h: 'EY CH', i: 'AY', j: 'JH EY', k: 'K EY', l: 'EH L', m: 'EH M', n: 'EH N', o: 'OW',
  p: 'P IY', q: 'K Y UW', r: 'AA R', s: 'EH S', t: 'T IY', u: 'Y UW', v: 'V IY', w: 'D AH B AH L Y UW', x: 'EH K S', y: 'W AY', z: 'Z IY',
};

/** The phones of letters that are said one by one. */
export function spelled(letters: string): string {
  return [...letters.toLowerCase()].map((letter) => SPELLING[letter]).filter(Boolean).join(' ');
}
