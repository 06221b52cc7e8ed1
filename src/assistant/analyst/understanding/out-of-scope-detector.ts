/** Common words of other languages that English does not have. */
const FOREIGN_WORDS = new Set(
  `
und ist sind nicht warum wieso weshalb wie welche welcher welches jetzt gestern heute langsam fehler dienst dienste zeig zeige mir der das den dem ein eine mit für von auf kann hallo danke bitte gibt es letzten stunde stunden wurde wer wann kaputt
le la les des une est sont pourquoi comment quel quelle quels quelles bonjour merci maintenant hier avec pour dans lent erreur erreurs montre moi depuis heure heures
el los las una por qué porque cómo cuál cuáles hola gracias ahora ayer lento errores muestra muéstrame servicio servicios está están hay última hora
perché perche come quale quali ciao grazie adesso ieri oggi lento errore errori servizio mostra mostrami sono
porquê porque quais olá obrigado obrigada agora ontem hoje lento erros serviço mostre está não
que qué cosa passe il elle quoi mudou cambiato cambió roto rota funciona jetzt heißt gerade alles läuft läuft's
vad är varför och långsam dlaczego jest nie wolno neden nasıl yavaş proč pomalý miksi hidas
waarom hoe welke het een niet zijn nu gisteren vandaag traag fouten toon dank hallo
`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const ENGLISH_WORDS = new Set(
  `
the is are was were what which why how when who where and of for from with to in on does did do has have show me my it this that there any all please can could would tell
give list find get about than been between since before after last i you we not no only also now then
`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const NOT_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Greek}\p{Script=Thai}\p{Script=Devanagari}]{2,}/u;

/** True if the question is not in English, judged by common words. */
export function isForeignLanguage(words: readonly string[], text: string): boolean {
  const foreign = words.filter((word) => FOREIGN_WORDS.has(word)).length;
  const english = words.filter((word) => ENGLISH_WORDS.has(word)).length;
  return NOT_LATIN.test(text) || (foreign > 0 && foreign > english);
}

const POLITE_PREFIX =
  /^(?:(?:how (?:do|can|could|should|would) (?:i|we|you|one)(?! (?:fix|solve|repair|resolve))|how to|as (?:an? )?(?:admin|owner|administrator|root|user)|hey|hi|hello|ok|okay|please|pls|now|just|then|so|and|maybe|kindly|quickly|can you|could you|would you|will you|can i|can we|i want you to|i want to|i need you to|i would like you to|id like you to|go ahead and|you should|you must|lets|we should|we need to|i need to)\s+)+/;

/** Requests to do something: imperative forms, or requests for permission or help. */
const ACTION_REQUESTS =
  /^(?:restart|reboot|stop|kill|terminate|delete|remove|drop|erase|create|add|set|update|edit|rename|deploy|redeploy|roll ?back|roll|revert|make|buy me|give me (?:admin|access|rights|permission|more)|let me (?:change|delete|set)|scale|silence|mute|snooze|acknowledge|ack|disable|enable|turn o(?:n|ff)|switch o(?:n|ff)|send|email|mail|post|notify|page|call me|write|book|buy|export|download|upload|install|configure|execute|run|change|raise|lower|increase|decrease|reset|assign|invite|grant|revoke|tell me a joke|tell a joke|sing|translate|fix it|fix the|fix this|heal|repair|ping|connect to|open a ticket|act as|pretend|forget)\b(?! (?:in|of|me on|me about|a list|an overview|a summary|me a list|through)\b)/;
const PREDICTION_REQUESTS =
  /\b(?:predict|prediction|forecast|tomorrow|next (?:hour|day|week|month|year)|will (?:it|there|we|the|any|anything)|going to (?:fail|break|crash|happen))\b/;
const SECRET_REQUESTS =
  /\b(?:hidden|secret|internal|initial) (?:instructions?|prompts?|rules)\b|\byour (?:\w+ )?instructions\b|\b(?:developer|debug|god|jailbreak) mode\b|\b(?:ignore|disregard|forget|override)\b.*\b(?:instructions?|rules|previous|above|prompts?)\b|\bsystem prompt\b|\bapi keys?\b|\bpasswords?\b|\bsecrets?\b|\bcredentials?\b|\benvironment variables?\b/;
const OTHER_TENANT_REQUESTS =
  /\b(?:another|other|different|someone elses|somebody elses|all)\s+(?:customers?|tenants?|grids?|organi[sz]ations?|compan(?:y|ies)|accounts?|teams?)\b|\bgrid\s+(?=[\w-]*\d)[\w-]+|\bother grids?\b/;
const PEOPLE_QUESTIONS =
  /\bwho\b.*\b(?:wrote|owns?|built|made|created?|maintains?|develops?|developed|designed|works?|is on call)\b|\b(?:source code|revenue|stock price|competitors?)\b/;

/** Actions, secrets, predictions, other Grids, people. */
export type OutOfScopeReason = 'deed' | 'secret' | 'future' | 'elsewhere' | 'people';

/**
 * Requests that the assistant cannot fulfil. `isNameFirst`: the text starts with a name, so its first word is not an
 * imperative.
 */
export function detectOutOfScope(text: string, isNameFirst: boolean): OutOfScopeReason | undefined {
  const plain = text
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (SECRET_REQUESTS.test(plain)) return 'secret';
  if (OTHER_TENANT_REQUESTS.test(plain)) return 'elsewhere';
  if (PREDICTION_REQUESTS.test(plain)) return 'future';
  if (PEOPLE_QUESTIONS.test(plain)) return 'people';
  // "Checkout is slow, restart it": each clause may be an imperative.
  const clauses = [
    ...(isNameFirst ? [] : [plain]),
    ...text
      .toLowerCase()
      .split(/[,;:.!]\s+/)
      .slice(1),
  ];
  return clauses.some((clause) => ACTION_REQUESTS.test(clause.trim().replace(POLITE_PREFIX, ''))) ? 'deed' : undefined;
}
