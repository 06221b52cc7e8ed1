/** Words that name nothing here: a question may hold them without speaking of a service. */
const WORDS = `
a about above across actually after again ago all almost already also always am an and another any anybody anymore anyone anything anyway anywhere are around as ask asked at away
back be because been before behind being below best between both but by
came can cannot cant careful case certain chance check clear come comes coming could couldnt couple current currently
day days deal did didnt do does doesnt doing done dont due during
each early either else end ended ends enough entire even ever every everybody everyone everything everywhere exactly
far few first following for from further
general get gets getting give given go goes going gone good got great
had half happen has hasnt have havent having he hear her here hers high him his hour hours how however
i id idea if ill im in indeed inside instead into is isnt it its itself ive
just keep keeps kind know known knows
last late lately later latest least less let lets like little live long longer look looking looks lot low
made main make makes making many may maybe me mean might mine minute minutes moment more morning most much must my myself
name named names near necessary need never new newest next night no nobody none nor not nothing now number
of off often oh old on once one ones only onto or other others our ours out over overall own
particular past people per perhaps period please plz pls point possible possibly previous probably put
question questions quick quickly quite
rather real really recent recently regarding related right roughly
said same saw say says second seconds see seem seems seen seing seeing several shall she should show side simply since single so some somebody somehow someone something sometimes somewhere soon sort specific still stuff such sure system
take taken talk tell terms than that thats the their them themselves then there theres these they thing things think this those though through time times to today together tomorrow tonight too total toward towards tried try trying
under understand until up upon us use usual usually utc
various very via
want wanted wants was wasnt way we week weeks well were what whatever whats when where whether which while who whole whom whose why will wish with within without wonder wondering wont would wouldnt
year years yeah yes yesterday yet you your yours
app application company computer data day default environment everything grid infrastructure network online platform prod production server servers service services setup shop site software stack store website world
afternoon evening midnight noon monday tuesday wednesday thursday friday saturday sunday weekend month months
january february march april june july august september october november december
average avg maximum max minimum min rate rates ratio percent percentage value values ms milliseconds sec secs mins hrs
able active inactive open closed available unavailable typical typically frequent frequently common rare rarely strange hot hottest heavy heavily special certain obvious extra whats hows wheres whos thing cost costs price enough healthy normal abnormal recent recently old older young early earlier immediate immediately serious seriously bigger biggest smaller smallest overall entire complete completely partial partially main primary secondary internal external local remote global single multiple double triple half quarter third fourth fifth zero amounts counts calculated computed measured measure measures measuring monitor monitors monitored monitoring observe telemetry observability system systems status states customer client clients business peak peaks peaked floor ceiling level mode modes print printed printing build builds built
able assistant collect collected collecting collects complain complaining complains exist exists existing access according add added agree allowed along amount answer appear appears available avoid basically become behave behaving behavior behaviour believe bit briefly bring brought call cause changed clearly code compared consider contain contains containing considered correct course curious customer customers detect detected direct directly doubt easily edge effect entries expect expected experience experiencing explain fact feel figure figures find fine fire form found four five three two six seven eight nine ten full gave handle handling happened hard hello help hold hope important include including increase individual interested interesting involved item items kindly large larger latest lead learn leave level levels lines line list lists listed load main major manager matter mention mentioned mentioning message minor miss missing mistake mostly move near normal normally note notice noticed numbers observe observed occur open order originally outside overview page part parts piece place plan play present pretty prior process produce produced producing quite range reach read ready reason received receive recorded recording regard report reported reports respect result results return returned returning returns review run runs save saying search section self send sending sent serious serve served serves serving set shape shown shows similar situation small smaller sorry source sources stand started state status stop stopped strange successful suddenly suffer suffers summarise summarize suspect suspicious take team text thank though thought top topic touch touched track true turn type types unable understand unknown update updates user users visible wait waiting whenever wise word words work worked worst write yep
app apps backend component components dependency instance instances ignore instructions prompt reveal key keys secret password admin
`;

const COMMON = new Set(WORDS.split(/\s+/).filter((word) => word !== ''));

export function isCommon(word: string): boolean {
  return COMMON.has(word);
}
