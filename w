#include <stdio.h>
int main(void){FILE*f=fopen("posn.dat","r+");char b[100];for(int i=0;i<100;i++)fgetc(f);fread(b,1,10,f);fseek(f,500,SEEK_SET);for(int i=0;i<50;i++)fputc('x',f);fwrite(b,1,10,f);return 0;}
