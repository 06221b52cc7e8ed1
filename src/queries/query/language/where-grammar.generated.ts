// Generated from where.grammar by `npm run docs`.
import {LRParser} from "@lezer/lr"
const spec_Bareword = {__proto__:null,or:58, OR:58, and:60, AND:60, not:62, NOT:62, in:64, IN:64, exists:66, EXISTS:66}
export const parser = LRParser.deserialize({
  version: 14,
  states: "%|QVQPOOQkQPOOOOQO'#Cd'#CdOVQPO'#CcOVQPO'#CeOuQPO'#CiOOQO'#Ci'#CiO!mQPO'#ChOOQO'#Cr'#CrO!uQPO'#CqOOQO'#Cs'#CsOOQO'#Cx'#CxOOQO'#C_'#C_OOQO,58{,58{OVQPO,58xOOQO'#Cb'#CbOVQPO,58{OOQO,58},58}O!zQPO,59PO#XQPO,59SOOQO'#Co'#CoO#aQPO,59YO#fQPO,59]O#nQPO1G.dOOQO1G.g1G.gOOQO1G.k1G.kOOQO'#Cl'#ClOOQO1G.n1G.nO#XQPO1G.tO$OQPO1G.wO$TQPO7+$`OOQO7+$c7+$cO#XQPO'#CtO$]QPO<<GzOOQO<<Gz<<GzOOQO,59`,59`OOQO-E6r-E6rOOQOAN=fAN=f",
  stateData: "$e~OkOS~OSTOYSO^UOaYOoQOqWO~Om[On_O~PVOSgXYgX^gX_]XagXigXmgXngXogXp]XqgXZgX~O_cOpdO~OYfO~OZiOm[On_O~PVOSjOajO~OYlO~OSUO^UO~On_OiQimQiZQi~PVOZoO~OZrOdpO~OZuOdpO~O",
  goto: "#lmPPnxPn|n!RnPPn!]PP!jPn!sPn!vn#QPPP#WaZOPRS^`bgT^PbV`PbgaROPRS^`bg`VOPRS^`bgRmfQkcQnlRspReVaXOPRS^`bgQqnRtqQPOU]PbgQaRQbSQg^Rh`",
  nodeNames: "⚠ Query Disjunction Or Bareword Conjunction And Negation Not Group ( ) Comparison Field QuotedField Operator Value String Membership In , Existence Exists Text",
  maxTerm: 33,
  skippedNodes: [0],
  repeatNodeCount: 1,
  tokenData: ")_~RkOX!vXY#wYZ#wZ]!v]^#w^p!vpq#wqr$]rs$ksw!vwx&Xxy'pyz'uz|!v|}'z}!^!v!^!_(P!_!`(X!`!a(P!a#S!v#S#T(a#T#r!v#s$f!v$f$g#w$g;'S!v;'S;=`#q<%lO!v~!{[S~OX!vZ]!v^p!vsw!vz|!v}!^!v!a#S!v#T#r!v#s$f!v$g;'S!v;'S;=`#q<%lO!v~#tP;=`<%l!v~#|Tk~XY#wYZ#w]^#wpq#w$f$g#w~$`Q!_!`$f#r#s$f~$kO_~~$nVOr$krs%Ts#O$k#O#P%Y#P;'S$k;'S;=`&R<%lO$k~%YOa~~%]RO;'S$k;'S;=`%f;=`O$k~%iWOr$krs%Ts#O$k#O#P%Y#P;'S$k;'S;=`&R;=`<%l$k<%lO$k~&UP;=`<%l$k~&[VOw&Xwx%Tx#O&X#O#P&q#P;'S&X;'S;=`'j<%lO&X~&tRO;'S&X;'S;=`&};=`O&X~'QWOw&Xwx%Tx#O&X#O#P&q#P;'S&X;'S;=`'j;=`<%l&X<%lO&X~'mP;=`<%l&X~'uOY~~'zOZ~~(POd~~(UP_~!_!`$f~(^P_~#r#s$f~(dSO#S(p#T;'S(p;'S;=`)X<%lO(p~(sTO#S(p#S#T)S#T;'S(p;'S;=`)X<%lO(p~)XO^~~)[P;=`<%l(p",
  tokenizers: [0],
  topRules: {"Query":[0,1]},
  specialized: [{term: 4, get: (value: keyof typeof spec_Bareword) => spec_Bareword[value] || -1}],
  tokenPrec: 0
})
